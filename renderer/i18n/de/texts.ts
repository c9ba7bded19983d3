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
    label: 'Bereiche',
    skip: 'Zum Inhalt springen',
    connection: 'Verbindung',
    messages: 'Hinweise',
    attachments: 'Anhänge',
    news: 'News',
    organization: 'Organisation',
    settings: 'Einstellungen',
    doctor: 'Diagnose',
  },
  connection,
  instance: {
    choose: 'Dienst',
    welcomeTitle: 'VPN-Dienst hinzufügen',
    welcomeText: 'Die Adresse erhalten Sie von Ihrer Organisation. Danach erscheinen hier die Profile.',
    welcomeWhat: 'Causeway verbindet diesen Computer mit dem VPN Ihrer Organisation.',
    nextTitle: 'So geht es weiter',
    nextBrowser:
      'Auf „Anmelden“ klicken. Der Browser öffnet sich: dort anmelden und den Zugriff für Causeway erlauben.',
    nextProfiles: 'Die Profile erscheinen hier. Bei einem davon auf „Verbinden“ klicken.',
    address: 'Adresse',
    addressHint: 'Zum Beispiel vpn.example.org',
    add: 'Dienst hinzufügen',
    addAnother: 'Weiteren Dienst hinzufügen',
    notNow: 'Nicht jetzt',
    signedIn: 'Angemeldet',
    signedOut: 'Nicht angemeldet',
    waiting: 'Warten auf den Browser. Dort den Zugriff für Causeway erlauben, dann hierher zurückkehren.',
    openAgain: 'Browser erneut öffnen',
    copyLink: 'Link kopieren',
    timeLeft: 'Verbleibende Zeit: {{time}}',
    useClientId: 'Speichern und anmelden',
    logInHint: 'Dafür öffnet sich der Browser. Danach erscheinen hier die Profile.',
    loggedOut:
      'Sie sind hier abgemeldet. Der Dienst führt Causeway weiterhin als zugelassene Anwendung auf. Widerrufen lässt sich das auf Ihrer Kontoseite unter {{address}}.',
    logIn: 'Anmelden',
    cancel: 'Abbrechen',
    logOut: 'Abmelden',
    refresh: 'Aktualisieren',
    retry: 'Erneut versuchen',
    profilesOf: 'Profile von {{instance}}',
    loading: 'Profile werden abgerufen…',
    noProfiles: 'Hier gibt es kein Profil für Sie. Ihre Organisation kann eines einrichten.',
    findProfile: 'Profil suchen',
    noProfileFound: 'Kein Profil hat diesen Namen.',
    profileInUse: 'In Gebrauch',
    profileLast: 'Zuletzt verwendet',
    profileAllTraffic: 'Der gesamte Datenverkehr läuft darüber',
    profileSomeTraffic: 'Nur Datenverkehr in dieses Netz läuft darüber',
  },
  messages: {
    title: 'Hinweise',
    from: 'Hinweis von {{instance}}',
    unread: 'Ungelesen',
    unreadCount_one: '{{count, number}} ungelesener Hinweis',
    unreadCount_other: '{{count, number}} ungelesene Hinweise',
    refresh: 'Aktualisieren',
    loading: 'Hinweise werden abgerufen…',
    noneTitle: 'Keine Hinweise',
    noneText: 'Hat ein Dienst etwas mitzuteilen, zum Beispiel geplante Wartungsarbeiten, steht es hier.',
    noInstance: 'Zuerst unter „Verbindung“ den VPN-Dienst hinzufügen. Hier erscheinen dann seine Hinweise.',
    signedOut: 'Unter „Verbindung“ bei {{instance}} anmelden, um die Hinweise zu lesen.',
  },
  attachments,
  news,
  organization,
  settings,
  offline: {
    asOf: 'Stand {{time}}: {{instance}} ist zurzeit nicht erreichbar.',
  },
  notices: {
    title: 'Bevor es weitergeht',
    dismiss: 'Verstanden',
  },
  error: {
    code: 'Code: {{code}}',
    serverSays: 'Der Server meldet: {{text}}',
    directive: 'Anweisung: {{directive}}',
    endsAt: 'Bei {{instance}} endet sie am {{time}}.',
    endedAt: 'Bei {{instance}} endete sie am {{time}}.',
    versions: 'Angebotene API-Version: {{versions}}',
    issuer:
      'Das Zertifikat stammt von „{{issuer}}“, einer Zertifizierungsstelle, der dieser Computer nicht vertraut. Betreibt Ihre Organisation diese Stelle, muss deren Zertifikat im Zertifikatspeicher dieses Computers installiert werden.',
    clientId: 'Verwendete Client-ID: {{clientId}}',
    clockAhead: 'Die Uhr geht gegenüber der von {{instance}} um {{by}} vor.',
    clockBehind: 'Die Uhr geht gegenüber der von {{instance}} um {{by}} nach.',
    busy: 'Der Dienst ist ausgelastet.',
    tryAgain: 'Erneut versuchen: {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'Der Organisationsdienst hat das Token abgelehnt.',
        todo: 'Prüfen, ob es vollständig und noch gültig ist, oder beim Betreiber des Dienstes ein anderes anfordern.',
      },
      passwordRefused: {
        what: 'Der Organisationsdienst hat Benutzernamen und Passwort abgelehnt.',
        todo: 'Die Schreibweise prüfen und beides erneut eingeben.',
      },
      passwordWanted: {
        what: 'Der Organisationsdienst verlangt hier Benutzernamen und Passwort, kein Token.',
        todo: 'Benutzernamen und Passwort für diesen Dienst eingeben.',
      },
      tokenWanted: {
        what: 'Der Organisationsdienst verlangt hier ein Token, nicht Benutzernamen und Passwort.',
        todo: 'Ein Token für diesen Dienst eingeben.',
      },
    },
    file: 'Datei: {{path}}',
    boundaryTitle: 'Dieser Bereich kann nicht angezeigt werden',
    boundaryText:
      'Die Verbindung ist davon nicht betroffen. Erneut versuchen und melden, falls es wieder auftritt.',
    retry: 'Erneut versuchen',
  },
  doctor,
  desktop,
  errors,
}
