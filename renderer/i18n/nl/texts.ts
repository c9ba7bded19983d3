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
    label: 'Onderdelen',
    skip: 'Direct naar de inhoud',
    connection: 'Verbinding',
    messages: 'Berichten',
    attachments: 'Bijlagen',
    news: 'Nieuws',
    organization: 'Organisatie',
    settings: 'Instellingen',
    doctor: 'Controle',
  },
  connection,
  instance: {
    choose: 'Dienst',
    welcomeTitle: 'Voeg je VPN-dienst toe',
    welcomeText: 'Het adres heb je van je organisatie gekregen. Daarna staan je profielen hier.',
    welcomeWhat: 'Causeway verbindt deze computer met de VPN van je organisatie.',
    nextTitle: 'Wat er daarna gebeurt',
    nextBrowser: 'Druk op "Inloggen". Je browser gaat open: log daar in en geef Causeway toestemming.',
    nextProfiles: 'Je profielen verschijnen hier. Druk bij een ervan op "Verbinden".',
    address: 'Adres',
    addressHint: 'Bijvoorbeeld vpn.example.org',
    add: 'Dienst toevoegen',
    addAnother: 'Nog een dienst toevoegen',
    notNow: 'Niet nu',
    signedIn: 'Ingelogd',
    signedOut: 'Niet ingelogd',
    waiting: 'Wachten op je browser. Geef Causeway daar toestemming en kom dan hier terug.',
    openAgain: 'Browser opnieuw openen',
    copyLink: 'Link kopiëren',
    timeLeft: 'Resterende tijd: {{time}}',
    useClientId: 'Opslaan en inloggen',
    logInHint: 'Daarvoor gaat je browser open. Daarna staan je profielen hier.',
    loggedOut:
      'Je bent hier uitgelogd. De dienst toont Causeway nog als toepassing met toestemming. Trek die in op je accountpagina op {{address}}.',
    logIn: 'Inloggen',
    cancel: 'Annuleren',
    logOut: 'Uitloggen',
    refresh: 'Verversen',
    retry: 'Opnieuw proberen',
    profilesOf: 'Profielen van {{instance}}',
    loading: 'Je profielen ophalen…',
    noProfiles: 'Er is hier geen profiel voor je. Vraag je organisatie om een profiel.',
    profileLast: 'Het laatst gebruikt',
    findProfile: 'Profiel zoeken',
    noProfileFound: 'Geen profiel heeft deze naam.',
    profileInUse: 'In gebruik',
    profileAllTraffic: 'Al je verkeer gaat erdoor',
    profileSomeTraffic: 'Alleen verkeer naar dit netwerk gaat erdoor',
  },
  messages: {
    title: 'Berichten',
    from: 'Bericht van {{instance}}',
    unread: 'Ongelezen',
    unreadCount_one: '{{count, number}} ongelezen bericht',
    unreadCount_other: '{{count, number}} ongelezen berichten',
    refresh: 'Verversen',
    loading: 'Je berichten ophalen…',
    noneTitle: 'Geen berichten',
    noneText: 'Heeft een dienst je iets te melden, zoals gepland onderhoud, dan lees je het hier.',
    noInstance: 'Voeg eerst onder Verbinding je VPN-dienst toe. Zijn berichten staan dan hier.',
    signedOut: 'Log onder Verbinding in bij {{instance}} om de berichten te lezen.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'Stand van {{time}}: {{instance}} is nu niet bereikbaar.',
  },
  notices: {
    title: 'Voordat je verdergaat',
    dismiss: 'Begrepen',
  },
  error: {
    code: 'Code: {{code}}',
    serverSays: 'De server zegt: {{text}}',
    directive: 'Opdracht: {{directive}}',
    endsAt: 'Bij {{instance}} verloopt hij op {{time}}.',
    endedAt: 'Bij {{instance}} verliep hij op {{time}}.',
    versions: 'Aangeboden API-versie: {{versions}}',
    issuer:
      'Het certificaat is uitgegeven door ‘{{issuer}}’, een autoriteit die deze computer niet vertrouwt. Is die autoriteit van je organisatie, vraag dan om haar certificaat aan het certificaatarchief van deze computer toe te voegen.',
    clientId: 'Gebruikte client-id: {{clientId}}',
    clockAhead: 'De klok loopt {{by}} voor op die van {{instance}}.',
    clockBehind: 'De klok loopt {{by}} achter op die van {{instance}}.',
    busy: 'De dienst is overbelast.',
    tryAgain: 'Probeer het {{when}} opnieuw.',
    credentials: {
      tokenRefused: {
        what: 'De organisatiedienst heeft het token geweigerd.',
        todo: 'Controleer of het volledig is en niet verlopen, of vraag de beheerders van de dienst om een ander.',
      },
      passwordRefused: {
        what: 'De organisatiedienst heeft de gebruikersnaam en het wachtwoord geweigerd.',
        todo: 'Controleer de spelling en vul ze opnieuw in.',
      },
      passwordWanted: {
        what: 'De organisatiedienst vraagt hier om een gebruikersnaam en wachtwoord, niet om een token.',
        todo: 'Vul de gebruikersnaam en het wachtwoord in die je ervoor hebt.',
      },
      tokenWanted: {
        what: 'De organisatiedienst vraagt hier om een token, niet om een gebruikersnaam en wachtwoord.',
        todo: 'Vul het token in dat je ervoor hebt.',
      },
    },
    file: 'Bestand: {{path}}',
    boundaryTitle: 'Dit onderdeel kan niet worden getoond',
    boundaryText: 'Je verbinding merkt er niets van. Probeer het opnieuw, en meld het als het terugkomt.',
    retry: 'Opnieuw proberen',
  },
  desktop,
  errors,
}
