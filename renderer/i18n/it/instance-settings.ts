import type { Translation } from '../translation'

/** The settings of one instance, in Italian. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Opzioni',
  changeOf: 'Opzioni di {{instance}}',
  title: 'Opzioni di {{instance}}',
  text: 'Lascia vuoto un campo per usare ciò che indica il servizio stesso.',
  loading: 'Lettura delle opzioni',
  notOffered: 'Il servizio non ne offre',
  notKnown: 'Al momento il servizio non è raggiungibile',
  clientId: 'ID client',
  clientIdText: 'Il nome con cui Causeway accede. Dopo averlo cambiato, accedi di nuovo.',
  attachments: 'Indirizzo degli allegati',
  content: 'Indirizzo delle notizie',
  organizations: 'Indirizzo delle organizzazioni',
  userId: 'Il tuo ID utente',
  userIdText: 'Per un servizio di allegati che non ti riconosce da solo.',
  roles: 'I tuoi ruoli',
  role: {
    ADMINISTRATOR: 'Amministratore',
    CONTRIBUTOR: 'Collaboratore',
    MEMBER: 'Membro',
  },
  save: 'Salva',
  cancel: 'Annulla',
  saved: 'Opzioni salvate.',
  invalid: {
    address:
      'Questo valore non è valido. Indica un indirizzo che inizi con https:// e non contenga nome utente, ? o #.',
    clientId: 'Questo valore non è valido. Indica l’ID registrato dal servizio, ad esempio org.example.app.',
    userId: 'Questo valore non è valido. Indica lettere, cifre e segni senza spazi, al massimo 255.',
  },
}
