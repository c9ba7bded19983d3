import type { Translation } from '../translation'

/** The settings of one instance, in Ukrainian. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Налаштування',
  changeOf: 'Налаштування сервісу {{instance}}',
  title: 'Налаштування сервісу {{instance}}',
  text: 'Порожнє поле означає, що діє те, що вказує сам сервіс.',
  loading: 'Читання налаштувань',
  notOffered: 'Сервіс її не вказує',
  notKnown: 'Сервіс зараз недоступний',
  clientId: 'Ідентифікатор клієнта',
  clientIdText: 'Назва, під якою входить Causeway. Після її зміни ввійдіть знову.',
  attachments: 'Адреса вкладень',
  content: 'Адреса новин',
  organizations: 'Адреса організацій',
  userId: 'Ваш ідентифікатор користувача',
  userIdText: 'Для сервісу вкладень, який сам його не знає.',
  roles: 'Ваші ролі там',
  role: {
    ADMINISTRATOR: 'Адміністратор',
    CONTRIBUTOR: 'Дописувач',
    MEMBER: 'Учасник',
  },
  save: 'Зберегти',
  cancel: 'Скасувати',
  saved: 'Збережено.',
  invalid: {
    address:
      'Це значення не підходить. Укажіть адресу, яка починається з https:// і не містить імені користувача, ? або #.',
    clientId:
      'Це значення не підходить. Укажіть ідентифікатор, зареєстрований у сервісі, наприклад org.example.app.',
    userId: 'Це значення не підходить. Укажіть літери, цифри та знаки без пробілів, щонайбільше 255.',
  },
}
