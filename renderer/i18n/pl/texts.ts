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
    label: 'Widoki',
    skip: 'Przejdź do treści',
    connection: 'Połączenie',
    messages: 'Komunikaty',
    attachments: 'Załączniki',
    news: 'Nowości',
    organization: 'Organizacja',
    settings: 'Ustawienia',
    doctor: 'Diagnostyka',
  },
  connection,
  instance: {
    choose: 'Usługa',
    welcomeTitle: 'Dodaj swoją usługę VPN',
    welcomeText: 'Jej adres podaje twoja organizacja. Po dodaniu pojawią się tutaj twoje profile.',
    welcomeWhat: 'Causeway łączy ten komputer z siecią VPN twojej organizacji.',
    nextTitle: 'Co dalej',
    nextBrowser:
      'Naciśnij „Zaloguj się”. Otworzy się przeglądarka: zaloguj się w niej i zezwól aplikacji Causeway na dostęp.',
    nextProfiles: 'Tutaj pojawią się twoje profile. Przy wybranym naciśnij „Połącz”.',
    address: 'Adres',
    addressHint: 'Na przykład vpn.example.org',
    add: 'Dodaj usługę',
    addAnother: 'Dodaj kolejną usługę',
    notNow: 'Nie teraz',
    signedIn: 'Zalogowano',
    signedOut: 'Nie zalogowano',
    waiting: 'Oczekiwanie na przeglądarkę. Zezwól tam aplikacji Causeway na dostęp, a potem wróć tutaj.',
    openAgain: 'Otwórz przeglądarkę ponownie',
    copyLink: 'Kopiuj link',
    timeLeft: 'Pozostały czas: {{time}}',
    useClientId: 'Zapisz i zaloguj się',
    logInHint: 'Otworzy się przeglądarka. Po zalogowaniu pojawią się tutaj twoje profile.',
    loggedOut:
      'Wylogowano tutaj. Usługa nadal wymienia Causeway wśród aplikacji z dostępem. Aby go cofnąć, otwórz stronę swojego konta pod adresem {{address}}.',
    logIn: 'Zaloguj się',
    cancel: 'Anuluj',
    logOut: 'Wyloguj się',
    refresh: 'Odśwież',
    retry: 'Spróbuj ponownie',
    profilesOf: 'Profile usługi {{instance}}',
    loading: 'Pobieranie profili…',
    noProfiles: 'Nie ma tu profilu dla ciebie. Poproś swoją organizację o jego przydzielenie.',
    findProfile: 'Znajdź profil',
    noProfileFound: 'Żaden profil nie ma takiej nazwy.',
    profileInUse: 'W użyciu',
    profileLast: 'Ostatnio używany',
    profileAllTraffic: 'Przechodzi przez niego cały ruch',
    profileSomeTraffic: 'Przechodzi przez niego tylko ruch do jego sieci',
  },
  messages: {
    title: 'Komunikaty',
    from: 'Komunikat od {{instance}}',
    unread: 'Nieprzeczytany',
    unreadCount_one: '{{count, number}} nieprzeczytany komunikat',
    unreadCount_few: '{{count, number}} nieprzeczytane komunikaty',
    unreadCount_many: '{{count, number}} nieprzeczytanych komunikatów',
    unreadCount_other: '{{count, number}} nieprzeczytanego komunikatu',
    refresh: 'Odśwież',
    loading: 'Pobieranie komunikatów…',
    noneTitle: 'Brak komunikatów',
    noneText:
      'Gdy usługa będzie miała coś do przekazania, na przykład plan prac serwisowych, przeczytasz to tutaj.',
    noInstance: 'Najpierw dodaj usługę VPN w widoku Połączenie. Jej komunikaty pojawią się tutaj.',
    signedOut: 'Zaloguj się do {{instance}} w widoku Połączenie, aby czytać komunikaty tej usługi.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'Stan na {{time}}: usługa {{instance}} jest teraz nieosiągalna.',
  },
  notices: {
    title: 'Zanim przejdziesz dalej',
    dismiss: 'Rozumiem',
  },
  error: {
    code: 'Kod: {{code}}',
    serverSays: 'Odpowiedź serwera: {{text}}',
    directive: 'Dyrektywa: {{directive}}',
    endsAt: 'Sesja w {{instance}} wygasa {{time}}.',
    endedAt: 'Sesja w {{instance}} wygasła {{time}}.',
    versions: 'Oferowana wersja API: {{versions}}',
    issuer:
      'Certyfikat wystawił urząd „{{issuer}}”, któremu ten komputer nie ufa. Jeśli ten urząd prowadzi twoja organizacja, poproś o dodanie jego certyfikatu do magazynu certyfikatów tego komputera.',
    clientId: 'Użyty identyfikator klienta: {{clientId}}',
    clockAhead: 'Zegar tego komputera spieszy się względem zegara {{instance}}. Różnica: {{by}}.',
    clockBehind: 'Zegar tego komputera spóźnia się względem zegara {{instance}}. Różnica: {{by}}.',
    busy: 'Usługa jest przeciążona.',
    tryAgain: 'Spróbuj ponownie {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'Usługa organizacji odrzuciła token.',
        todo: 'Sprawdź, czy jest kompletny i nie wygasł, albo poproś administratorów usługi o inny.',
      },
      passwordRefused: {
        what: 'Usługa organizacji odrzuciła nazwę użytkownika i hasło.',
        todo: 'Sprawdź pisownię i podaj je jeszcze raz.',
      },
      passwordWanted: {
        what: 'Usługa organizacji wymaga tutaj nazwy użytkownika i hasła, a nie tokenu.',
        todo: 'Podaj nazwę użytkownika i hasło do tej usługi.',
      },
      tokenWanted: {
        what: 'Usługa organizacji wymaga tutaj tokenu, a nie nazwy użytkownika i hasła.',
        todo: 'Podaj token do tej usługi.',
      },
    },
    file: 'Plik: {{path}}',
    boundaryTitle: 'Nie można wyświetlić tego widoku',
    boundaryText: 'Nie ma to wpływu na połączenie. Spróbuj ponownie, a jeśli problem się powtórzy, zgłoś go.',
    retry: 'Spróbuj ponownie',
  },
  desktop,
  errors,
}
