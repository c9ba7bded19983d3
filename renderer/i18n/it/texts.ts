import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

/** Every text of the window, in Italian. */
export const texts: Translation = {
  navigation: {
    label: 'Sezioni',
    skip: 'Vai al contenuto',
    connection: 'Connessione',
    messages: 'Messaggi',
    attachments: 'Allegati',
    news: 'Notizie',
    organization: 'Organizzazione',
    settings: 'Opzioni',
    doctor: 'Diagnosi',
  },
  connection,
  instance: {
    choose: 'Servizio VPN',
    welcomeTitle: 'Aggiungi il tuo servizio VPN',
    welcomeText: 'L’indirizzo te lo fornisce la tua organizzazione. Poi i tuoi profili compariranno qui.',
    welcomeWhat: 'Causeway connette questo computer alla VPN della tua organizzazione.',
    nextTitle: 'I prossimi passi',
    nextBrowser: 'Premi «Accedi». Si apre il browser: accedi lì e autorizza Causeway.',
    nextProfiles: 'I tuoi profili compaiono qui. Premi «Connetti» su uno di essi.',
    address: 'Indirizzo',
    addressHint: 'Ad esempio vpn.example.org',
    add: 'Aggiungi servizio',
    addAnother: 'Aggiungi un altro servizio',
    notNow: 'Non ora',
    signedIn: 'Accesso effettuato',
    signedOut: 'Accesso non effettuato',
    waiting: 'In attesa del browser. Autorizza lì Causeway, poi torna qui.',
    openAgain: 'Apri di nuovo il browser',
    copyLink: 'Copia link',
    timeLeft: 'Tempo rimasto: {{time}}',
    useClientId: 'Salva e accedi',
    logInHint: 'Per accedere si apre il browser. Poi i tuoi profili compariranno qui.',
    loggedOut:
      'Qui sei uscito. Il servizio elenca ancora Causeway tra le applicazioni autorizzate. Per revocare l’autorizzazione, apri la pagina del tuo account su {{address}}.',
    logIn: 'Accedi',
    cancel: 'Annulla',
    logOut: 'Esci',
    refresh: 'Aggiorna',
    retry: 'Riprova',
    profilesOf: 'Profili di {{instance}}',
    loading: 'Caricamento dei tuoi profili…',
    noProfiles: 'Qui non c’è alcun profilo per te. Chiedine uno alla tua organizzazione.',
    findProfile: 'Cerca un profilo',
    noProfileFound: 'Nessun profilo ha questo nome.',
    profileInUse: 'In uso',
    profileLast: 'Ultimo usato',
    profileAllTraffic: 'Tutto il traffico passa da qui',
    profileSomeTraffic: 'Passa da qui solo il traffico verso la sua rete',
  },
  messages: {
    title: 'Messaggi',
    from: 'Messaggio da {{instance}}',
    unread: 'Da leggere',
    unreadCount_one: '{{count, number}} messaggio da leggere',
    unreadCount_many: '{{count, number}} di messaggi da leggere',
    unreadCount_other: '{{count, number}} messaggi da leggere',
    refresh: 'Aggiorna',
    loading: 'Caricamento dei tuoi messaggi…',
    noneTitle: 'Nessun messaggio',
    noneText:
      'Quando un servizio ha qualcosa da dirti, ad esempio una manutenzione programmata, lo leggi qui.',
    noInstance: 'Aggiungi prima il tuo servizio VPN in Connessione. I suoi messaggi compariranno qui.',
    signedOut: 'Per leggere i messaggi, accedi a {{instance}} in Connessione.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'Ultimo aggiornamento: {{time}}. Al momento {{instance}} non è raggiungibile.',
  },
  notices: {
    title: 'Prima di continuare',
    dismiss: 'Ho capito',
  },
  error: {
    code: 'Codice: {{code}}',
    serverSays: 'Il server dice: {{text}}',
    directive: 'Direttiva: {{directive}}',
    endsAt: 'Scadenza su {{instance}}: {{time}}.',
    endedAt: 'Sessione su {{instance}} scaduta: {{time}}.',
    versions: 'Versione dell’API offerta: {{versions}}',
    issuer:
      'Il certificato è stato emesso da “{{issuer}}”, un’autorità che questo computer non considera attendibile. Se l’autorità è della tua organizzazione, chiedi di aggiungere il suo certificato all’archivio certificati di questo computer.',
    clientId: 'ID client usato: {{clientId}}',
    clockAhead: 'L’orologio è avanti di {{by}} rispetto a quello di {{instance}}.',
    clockBehind: 'L’orologio è indietro di {{by}} rispetto a quello di {{instance}}.',
    busy: 'Il servizio è sovraccarico.',
    tryAgain: 'Riprova {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'Il servizio delle organizzazioni non ha accettato il token.',
        todo: 'Controlla che sia completo e non scaduto, oppure chiedine un altro a chi gestisce il servizio.',
      },
      passwordRefused: {
        what: 'Il servizio delle organizzazioni non ha accettato il nome utente e la password.',
        todo: 'Controlla come sono scritti e inseriscili di nuovo.',
      },
      passwordWanted: {
        what: 'Il servizio delle organizzazioni qui chiede un nome utente e una password, non un token.',
        todo: 'Inserisci il nome utente e la password che hai per questo servizio.',
      },
      tokenWanted: {
        what: 'Il servizio delle organizzazioni qui chiede un token, non un nome utente e una password.',
        todo: 'Inserisci il token che hai per questo servizio.',
      },
    },
    file: 'File: {{path}}',
    boundaryTitle: 'Impossibile mostrare questa sezione',
    boundaryText: 'La tua connessione non ne risente. Riprova e, se succede di nuovo, segnalalo.',
    retry: 'Riprova',
  },
  desktop,
  errors,
}
