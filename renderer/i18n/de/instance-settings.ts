import type { Translation } from '../translation'

/** The settings of one instance. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Einstellungen',
  changeOf: 'Einstellungen von {{instance}}',
  title: 'Einstellungen von {{instance}}',
  text: 'In leeren Feldern gilt, was der Dienst selbst angibt.',
  loading: 'Einstellungen werden gelesen',
  notOffered: 'Wird vom Dienst nicht angeboten',
  notKnown: 'Der Dienst ist zurzeit nicht erreichbar',
  clientId: 'Client-ID',
  clientIdText: 'Der Name, unter dem sich Causeway anmeldet. Nach einer Änderung erneut anmelden.',
  attachments: 'Adresse der Anhänge',
  content: 'Adresse der News',
  organizations: 'Adresse der Organisationen',
  userId: 'Benutzer-ID',
  userIdText: 'Für einen Anhangsdienst, der sie nicht von selbst kennt.',
  roles: 'Rollen dort',
  role: {
    ADMINISTRATOR: 'Administrator',
    CONTRIBUTOR: 'Mitwirkender',
    MEMBER: 'Mitglied',
  },
  save: 'Speichern',
  cancel: 'Abbrechen',
  saved: 'Gespeichert.',
  invalid: {
    address:
      'Das ist nicht verwendbar. Die Adresse muss mit https:// beginnen und darf weder Benutzernamen noch ? oder # enthalten.',
    clientId:
      'Das ist nicht verwendbar. Gebraucht wird die ID, die der Dienst registriert hat, zum Beispiel org.example.app.',
    userId:
      'Das ist nicht verwendbar. Erlaubt sind höchstens 255 Buchstaben, Ziffern und Zeichen ohne Leerzeichen.',
  },
}
