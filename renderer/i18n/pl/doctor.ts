import type { Translation } from '../translation'

/** The view of the doctor, in Polish: what Causeway needs of this computer. */
export const doctor: Translation['doctor'] = {
  title: 'Diagnostyka',
  text: 'Czego Causeway potrzebuje od tego komputera i co zrobić, gdy czegoś brakuje.',
  link: 'Sprawdź ten komputer',
  linkText: 'Sprawdza wszystko, czego potrzebuje Causeway, i podpowiada, co zrobić, gdy czegoś brakuje.',
  checking: 'Sprawdzanie…',
  again: 'Sprawdź ponownie',
  remedy: 'W terminalu:',
  summary: {
    ok: 'Jest wszystko, czego potrzebuje Causeway.',
    limited: 'Causeway tu działa, ale nie w pełni.',
    missing: 'Brakuje czegoś, czego potrzebuje Causeway.',
  },
  word: {
    ok: 'W porządku',
    limited: 'Częściowo',
    missing: 'Brak',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'Usługa OpenVPN',
    rights: 'Uprawnienia',
    helper: 'Program pomocniczy',
    'tun-device': 'Urządzenie tunelu',
    'key-store': 'Magazyn kluczy',
    dns: 'Serwery DNS',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} w {{path}}.',
    'openvpn-unusable': 'Nie ma OpenVPN, którego można użyć.',
    'service-ready': 'Usługa OpenVPN działa i uruchamia połączenia dla twojego konta.',
    'service-missing': 'Usługa OpenVPN nie działa, więc bez uprawnień administratora nie ma tunelu.',
    'service-without-powershell':
      'Usługa OpenVPN działa, ale Windows nie pozwala Causeway uruchomić programu PowerShell, który kończy połączenie, gdy Causeway przestanie działać.',
    'service-not-for-you':
      'Usługa OpenVPN działa, ale twoje konto nie należy do żadnej z grup, dla których zwykle uruchamia połączenia.',
    'rights-of-service': 'Urządzenie sieciowe i trasy konfiguruje usługa OpenVPN.',
    'rights-of-helper': 'Urządzenie sieciowe i trasy konfiguruje program pomocniczy.',
    'rights-of-process': 'Causeway sam może skonfigurować urządzenie sieciowe i trasy.',
    'rights-need-helper': 'Causeway nie może utworzyć urządzenia sieciowego, więc nie ma jeszcze tunelu.',
    'rights-need-service': 'Causeway nie może utworzyć urządzenia sieciowego, więc nie ma jeszcze tunelu.',
    'helper-ready': '{{path}} istnieje i można go użyć.',
    'helper-missing':
      'Program pomocniczy nie jest zainstalowany: nie ma serwerów DNS z VPN, kill switcha ani tunelu bez konta root.',
    'helper-missing-macos':
      'Program pomocniczy nie jest zainstalowany: nie ma tunelu bez konta root ani serwerów DNS z VPN.',
    'helper-not-built': 'Program pomocniczy nie jest zainstalowany, a ta kopia Causeway go nie zawiera.',
    'helper-not-used':
      '{{path}} nie jest używany: może go zmienić ktoś inny niż root albo nie ma tu ani pkexec, ani sudo.',
    'tun-ready': '{{path}} można otworzyć.',
    'tun-absent': 'Nie ma {{path}}.',
    'tun-denied': 'Nie masz uprawnień do otwarcia {{path}}.',
    'key-store-ready': 'Zapis do magazynu kluczy i odczyt z niego działają.',
    'key-store-differs': 'Magazyn kluczy zwrócił coś innego, niż zapisano.',
    'key-store-unusable': 'Nie można użyć magazynu kluczy.',
    'dns-ready': 'Serwery DNS może ustawiać {{program}}.',
    'dns-missing': 'Nie ma tu ani resolvectl, ani resolvconf, więc nie można ustawić serwerów DNS z VPN.',
    'nft-found': 'Program nftables, którego wymaga kill switch, jest zainstalowany.',
    'nft-missing': 'Program nftables, którego wymaga kill switch, nie jest zainstalowany.',
  },
  todo: {
    'openvpn-unusable': 'Zainstaluj OpenVPN 2.5 lub nowszy albo wskaż go w widoku Ustawienia.',
    'service-missing':
      'Zainstaluj OpenVPN razem z jego usługą albo uruchom usługę systemu Windows „OpenVPN Interactive Service”.',
    'service-without-powershell':
      'Poproś administratora tego komputera, aby zezwolił twojemu kontu na PowerShell.',
    'service-not-for-you':
      'Poproś administratora o dodanie twojego konta do grupy „OpenVPN Administrators”, a potem zaloguj się ponownie do systemu Windows.',
    'rights-need-helper': 'Zainstaluj program pomocniczy.',
    'rights-need-service':
      'Zainstaluj OpenVPN razem z jego usługą. Causeway nie musi działać z uprawnieniami administratora.',
    'helper-missing': 'Zainstaluj program pomocniczy.',
    'helper-missing-macos': 'Zainstaluj program pomocniczy.',
    'helper-not-built': 'Zainstaluj Go, a następnie zbuduj i zainstaluj program pomocniczy.',
    'helper-not-used':
      'Zainstaluj pkexec (w Debianie pkexec i polkitd), a potem ponownie program pomocniczy.',
    'tun-absent': 'Załaduj moduł jądra tego urządzenia.',
    'tun-denied': 'Zezwól wszystkim na otwieranie tego urządzenia, jak robią to środowiska graficzne.',
    'key-store-differs': 'Odblokuj magazyn kluczy albo wyloguj się z komputera i zaloguj ponownie.',
    'key-store-unusable': 'Odblokuj lub uruchom magazyn kluczy swojego środowiska graficznego.',
    'dns-missing': 'Zainstaluj systemd-resolved lub resolvconf.',
    'nft-missing': 'Zainstaluj nftables.',
  },
}
