import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: 'Ustawienia',
  general: 'Ogólne',
  language: 'Język',
  languageText: 'Język wszystkiego, co pisze Causeway. Teksty usługi są w tym języku, jeśli usługa je ma.',
  languageSystem: 'Jak w systemie',
  theme: 'Motyw',
  themeText: 'Jasny, ciemny albo taki jak w systemie.',
  themeSystem: 'Jak w systemie',
  themeLight: 'Jasny',
  themeDark: 'Ciemny',
  connection: 'Połączenie',
  reconnect: {
    label: 'Ponowne łączenie',
    text: 'Samo odtwarza utracony tunel, także w innej sieci i po uśpieniu komputera.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Blokuje cały ruch po utracie tunelu, aby nic go nie ominęło. Przestaje blokować po rozłączeniu lub po naciśnięciu „Zezwól na ruch”. Działa od następnego połączenia.',
    missing: {
      'no-helper':
        'Wymaga programu pomocniczego Causeway: uruchom w terminalu polecenie „causeway helper install”.',
      'no-nft': 'Wymaga nftables, a na tym komputerze nie ma tego programu.',
      'not-on-this-system': 'W tym systemie Causeway go nie oferuje.',
    },
  },
  remoteStrategy: {
    label: 'Serwery do wypróbowania',
    text: 'Które serwery i porty profilu mają być wypróbowane.',
    first: 'Pierwszy port każdego rodzaju',
    random: 'Losowy port każdego rodzaju',
    all: 'Wszystkie',
  },
  preferTcp: {
    label: 'Używaj tylko TCP',
    text: 'Dla sieci, które nie przepuszczają UDP. Jest wolniejsze i nie działa, gdy profil nie ma serwera TCP.',
  },
  autoConnect: {
    label: 'Łącz po uruchomieniu Causeway',
    text: 'Wraca do ostatnio używanego profilu. Jeśli trzeba się najpierw zalogować, pojawi się informacja.',
  },
  startAtLogin: {
    label: 'Uruchamiaj po zalogowaniu do komputera',
    text: 'Causeway uruchamia się w zasobniku albo, gdy go nie ma, zminimalizowany.',
  },
  closeToTray: {
    label: 'Działaj dalej po zamknięciu okna',
    text: 'Causeway pozostaje z połączeniem w zasobniku, jeśli pulpit ma zasobnik. Kończy go polecenie „Zakończ” w menu zasobnika.',
  },
  notifications: {
    label: 'Powiadomienia',
    text: 'Informują, co się dzieje, gdy patrzysz gdzie indziej: połączenie, jego utrata, wygasająca sesja, nowe komunikaty.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'Program, który tworzy tunel.',
    detected: 'Wykrywany automatycznie',
    choose: 'Wybierz…',
    detect: 'Wykryj automatycznie',
  },
  instances: 'Usługi',
  noInstances: 'Nie ma jeszcze żadnej. Dodaj usługę w widoku Połączenie.',
  remove: 'Usuń',
  removeQuestion: 'Usunąć {{instance}}? Sesja i klucz tej usługi zostaną usunięte z tego komputera.',
  removeConfirm: 'Usuń {{instance}}',
  keep: 'Zostaw',
  instance: instanceSettings,
  support: 'Pomoc techniczna',
  supportText:
    'Dla osób, które ci pomagają: wersje, ustawienia, czego tu brakuje i koniec dziennika. Hasła, klucze, adresy sieciowe i twoje nazwisko są pominięte.',
  supportCopy: 'Kopiuj dla pomocy',
  supportCopied: 'Skopiowano. Wklej to do wiadomości do nich.',
}
