import type { Translation } from '../translation'

/** The view of the doctor, in Ukrainian: what Causeway needs of this computer. */
export const doctor: Translation['doctor'] = {
  title: 'Діагностика',
  text: 'Що потрібно Causeway від цього комп’ютера і що робити, якщо чогось бракує.',
  link: 'Перевірити цей комп’ютер',
  linkText: 'Перевіряє все, що потрібно Causeway, і підказує, що робити, якщо чогось бракує.',
  checking: 'Перевірка…',
  again: 'Перевірити знову',
  remedy: 'У терміналі:',
  summary: {
    ok: 'Є все, що потрібно Causeway.',
    limited: 'Causeway тут працює, але не повністю.',
    missing: 'Бракує чогось, що потрібно Causeway.',
  },
  word: {
    ok: 'Усе гаразд',
    limited: 'Частково',
    missing: 'Бракує',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'Служба OpenVPN',
    rights: 'Права',
    helper: 'Допоміжна програма',
    'tun-device': 'Пристрій тунелю',
    'key-store': 'Сховище ключів',
    dns: 'DNS-сервери',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} у {{path}}.',
    'openvpn-unusable': 'Немає OpenVPN, яким можна скористатися.',
    'service-ready': 'Служба OpenVPN працює й запускає з’єднання для вас.',
    'service-missing': 'Служба OpenVPN не працює, тож без прав адміністратора тунелю не буде.',
    'service-without-powershell':
      'Служба OpenVPN працює, але Windows не дозволяє Causeway запускати PowerShell, який завершує з’єднання, якщо Causeway перестане працювати.',
    'service-not-for-you':
      'Служба OpenVPN працює, але ви не належите до жодної з груп, для яких вона зазвичай запускає з’єднання.',
    'rights-of-service': 'Мережевий пристрій і маршрути налаштовує служба OpenVPN.',
    'rights-of-helper': 'Мережевий пристрій і маршрути налаштовує допоміжна програма.',
    'rights-of-process': 'Causeway може сам налаштувати мережевий пристрій і маршрути.',
    'rights-need-helper': 'Causeway не може створити мережевий пристрій, тож тунелю поки що не буде.',
    'rights-need-service': 'Causeway не може створити мережевий пристрій, тож тунелю поки що не буде.',
    'helper-ready': '{{path}} є, і ним можна скористатися.',
    'helper-missing':
      'Допоміжну програму не встановлено: немає ні DNS-серверів VPN, ні kill switch, ні тунелю без прав root.',
    'helper-missing-macos':
      'Допоміжну програму не встановлено: немає ні тунелю без прав root, ні DNS-серверів VPN.',
    'helper-not-built': 'Допоміжну програму не встановлено, і ця копія Causeway її не містить.',
    'helper-not-used':
      '{{path}} не використовується: його може змінити не лише root або тут немає ні pkexec, ні sudo.',
    'tun-ready': '{{path}} можна відкрити.',
    'tun-absent': 'Немає {{path}}.',
    'tun-denied': 'Ви не маєте права відкривати {{path}}.',
    'key-store-ready': 'Запис у сховище ключів і читання з нього працюють.',
    'key-store-differs': 'Сховище ключів повернуло не те, що було записано.',
    'key-store-unusable': 'Сховищем ключів не можна скористатися.',
    'dns-ready': 'Установлювати DNS-сервери може {{program}}.',
    'dns-missing': 'Тут немає ні resolvectl, ні resolvconf, тож установити DNS-сервери VPN не можна.',
    'nft-found': 'Програму nftables, потрібну для kill switch, установлено.',
    'nft-missing': 'Програму nftables, потрібну для kill switch, не встановлено.',
  },
  todo: {
    'openvpn-unusable': 'Установіть OpenVPN 2.5 або новішу версію чи вкажіть його в розділі «Опції».',
    'service-missing':
      'Установіть OpenVPN разом із його службою або запустіть службу Windows «OpenVPN Interactive Service».',
    'service-without-powershell': 'Попросіть адміністратора цього комп’ютера дозволити вам PowerShell.',
    'service-not-for-you':
      'Попросіть адміністратора додати ваш обліковий запис до групи «OpenVPN Administrators», а потім увійдіть у Windows знову.',
    'rights-need-helper': 'Установіть допоміжну програму.',
    'rights-need-service':
      'Установіть OpenVPN разом із його службою. Запускати Causeway від імені адміністратора не потрібно.',
    'helper-missing': 'Установіть допоміжну програму.',
    'helper-missing-macos': 'Установіть допоміжну програму.',
    'helper-not-built': 'Установіть Go, а потім зберіть і встановіть допоміжну програму.',
    'helper-not-used': 'Установіть pkexec (у Debian pkexec і polkitd), а потім знову допоміжну програму.',
    'tun-absent': 'Завантажте модуль ядра для цього пристрою.',
    'tun-denied': 'Дозвольте всім відкривати цей пристрій, як це роблять стільничні середовища.',
    'key-store-differs': 'Розблокуйте сховище ключів або вийдіть із системи й увійдіть знову.',
    'key-store-unusable': 'Розблокуйте або запустіть сховище ключів свого стільничного середовища.',
    'dns-missing': 'Установіть systemd-resolved або resolvconf.',
    'nft-missing': 'Установіть nftables.',
  },
}
