import type { Translation } from '../translation'

/** The settings of one instance, in Polish. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Ustawienia',
  changeOf: 'Ustawienia usługi {{instance}}',
  title: 'Ustawienia usługi {{instance}}',
  text: 'Puste pole oznacza, że używane jest to, co podaje sama usługa.',
  loading: 'Wczytywanie ustawień',
  notOffered: 'Usługa nie podaje żadnego',
  notKnown: 'Usługa jest teraz nieosiągalna',
  clientId: 'Identyfikator klienta',
  clientIdText: 'Nazwa, pod którą loguje się Causeway. Po jej zmianie zaloguj się ponownie.',
  attachments: 'Adres załączników',
  content: 'Adres nowości',
  organizations: 'Adres organizacji',
  userId: 'Twój identyfikator użytkownika',
  userIdText: 'Dla usługi załączników, która sama go nie zna.',
  roles: 'Twoje role w usłudze',
  role: {
    ADMINISTRATOR: 'Administrator',
    CONTRIBUTOR: 'Współtwórca',
    MEMBER: 'Członek',
  },
  save: 'Zapisz',
  cancel: 'Anuluj',
  saved: 'Zapisano.',
  invalid: {
    address:
      'Tego nie można użyć. Podaj adres, który zaczyna się od https:// i nie zawiera nazwy użytkownika ani znaków ? i #.',
    clientId:
      'Tego nie można użyć. Podaj identyfikator zarejestrowany w usłudze, na przykład org.example.app.',
    userId: 'Tego nie można użyć. Podaj litery, cyfry i znaki bez spacji, najwyżej 255.',
  },
}
