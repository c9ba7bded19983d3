import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

export const texts: Translation = {
  navigation: {
    label: 'Розділи',
    skip: 'Перейти до вмісту',
    connection: 'З’єднання',
    messages: 'Оголошення',
    attachments: 'Вкладення',
    news: 'Новини',
    organization: 'Організація',
    settings: 'Опції',
    doctor: 'Діагностика',
  },
  connection,
  instance: {
    choose: 'Сервіс',
    welcomeTitle: 'Додайте свій VPN-сервіс',
    welcomeText: 'Його адресу надає ваша організація. Після додавання тут з’являться ваші профілі.',
    welcomeWhat: 'Causeway з’єднує цей комп’ютер із VPN вашої організації.',
    nextTitle: 'Що буде далі',
    nextBrowser:
      'Натисніть «Увійти». Відкриється браузер: увійдіть там і надайте доступ застосунку Causeway.',
    nextProfiles: 'Тут з’являться ваші профілі. Біля потрібного натисніть «Підключити».',
    address: 'Адреса',
    addressHint: 'Наприклад, vpn.example.org',
    add: 'Додати сервіс',
    addAnother: 'Додати ще один сервіс',
    notNow: 'Не зараз',
    signedIn: 'Вхід виконано',
    signedOut: 'Вхід не виконано',
    waiting: 'Очікування браузера. Надайте там доступ застосунку Causeway і поверніться сюди.',
    openAgain: 'Відкрити браузер знову',
    copyLink: 'Копіювати посилання',
    timeLeft: 'Залишилося часу: {{time}}',
    useClientId: 'Зберегти та ввійти',
    logInHint: 'Для входу відкриється браузер. Потім тут з’являться ваші профілі.',
    loggedOut:
      'Тут вихід виконано. Сервіс і далі показує Causeway серед застосунків, яким надано доступ. Щоб скасувати доступ, відкрийте сторінку свого облікового запису за адресою {{address}}.',
    logIn: 'Увійти',
    cancel: 'Скасувати',
    logOut: 'Вийти',
    refresh: 'Оновити',
    retry: 'Спробувати ще раз',
    profilesOf: 'Профілі сервісу {{instance}}',
    loading: 'Отримання ваших профілів…',
    noProfiles: 'Тут немає профілю для вас. Попросіть свою організацію надати його.',
    findProfile: 'Знайти профіль',
    noProfileFound: 'Жоден профіль не має такої назви.',
    profileInUse: 'Використовується',
    profileLast: 'Останній використаний',
    profileAllTraffic: 'Через нього йде весь трафік',
    profileSomeTraffic: 'Через нього йде лише трафік до його мережі',
  },
  messages: {
    title: 'Оголошення',
    from: 'Оголошення від {{instance}}',
    unread: 'Непрочитане',
    unreadCount_one: '{{count, number}} непрочитане оголошення',
    unreadCount_few: '{{count, number}} непрочитані оголошення',
    unreadCount_many: '{{count, number}} непрочитаних оголошень',
    unreadCount_other: '{{count, number}} непрочитаного оголошення',
    refresh: 'Оновити',
    loading: 'Отримання оголошень…',
    noneTitle: 'Немає оголошень',
    noneText: 'Коли сервіс матиме що повідомити, наприклад про планові роботи, ви прочитаєте це тут.',
    noInstance: 'Спершу додайте свій VPN-сервіс у розділі «З’єднання». Тут з’являться його оголошення.',
    signedOut: 'Щоб читати оголошення {{instance}}, увійдіть до цього сервісу в розділі «З’єднання».',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'Станом на {{time}}: сервіс {{instance}} зараз недоступний.',
  },
  notices: {
    title: 'Перш ніж продовжити',
    dismiss: 'Зрозуміло',
  },
  error: {
    code: 'Код: {{code}}',
    serverSays: 'Відповідь сервера: {{text}}',
    directive: 'Директива: {{directive}}',
    endsAt: 'Сеанс у {{instance}} завершується {{time}}.',
    endedAt: 'Сеанс у {{instance}} завершився {{time}}.',
    versions: 'Запропонована версія API: {{versions}}',
    issuer:
      'Сертифікат видав центр «{{issuer}}», якому цей комп’ютер не довіряє. Якщо цей центр належить вашій організації, попросіть додати його сертифікат до сховища сертифікатів цього комп’ютера.',
    clientId: 'Використаний ідентифікатор клієнта: {{clientId}}',
    clockAhead: 'Годинник цього комп’ютера поспішає відносно годинника {{instance}}. Різниця: {{by}}.',
    clockBehind: 'Годинник цього комп’ютера відстає від годинника {{instance}}. Різниця: {{by}}.',
    busy: 'Сервіс перевантажений.',
    tryAgain: 'Спробуйте ще раз {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'Сервіс організацій відхилив токен.',
        todo: 'Перевірте, чи він повний і чи не минув його термін дії, або попросіть інший в адміністраторів сервісу.',
      },
      passwordRefused: {
        what: 'Сервіс організацій відхилив ім’я користувача та пароль.',
        todo: 'Перевірте, чи вони написані правильно, і введіть їх ще раз.',
      },
      passwordWanted: {
        what: 'Сервіс організацій вимагає тут ім’я користувача та пароль, а не токен.',
        todo: 'Введіть ім’я користувача та пароль для цього сервісу.',
      },
      tokenWanted: {
        what: 'Сервіс організацій вимагає тут токен, а не ім’я користувача та пароль.',
        todo: 'Введіть токен для цього сервісу.',
      },
    },
    file: 'Файл: {{path}}',
    boundaryTitle: 'Не вдалося показати цей розділ',
    boundaryText:
      'На ваше з’єднання це не впливає. Спробуйте ще раз, а якщо це повториться, повідомте про це.',
    retry: 'Спробувати ще раз',
  },
  desktop,
  errors,
}
