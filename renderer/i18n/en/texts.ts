import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

/** Every text of the window. The shape of this object is what other languages have to fill. */
export const texts = {
  navigation: {
    label: 'Views',
    skip: 'Skip to the content',
    connection: 'Connection',
    messages: 'Messages',
    attachments: 'Attachments',
    news: 'News',
    organization: 'Organization',
    settings: 'Settings',
    doctor: 'Doctor',
  },
  connection,
  instance: {
    choose: 'Instance',
    welcomeTitle: 'Add your VPN service',
    welcomeText: 'You have its address from your organization. Your profiles are shown here afterwards.',
    welcomeWhat: 'Causeway connects this computer with the VPN of your organization.',
    nextTitle: 'What happens next',
    nextBrowser: 'Press "Log in". Your browser opens: log in there, and approve Causeway.',
    nextProfiles: 'Your profiles appear here. Press "Connect" at one of them.',
    address: 'Address',
    addressHint: 'For example vpn.example.org',
    add: 'Add instance',
    addAnother: 'Add another instance',
    notNow: 'Not now',
    signedIn: 'Logged in',
    signedOut: 'Not logged in',
    waiting: 'Waiting for your browser. Approve Causeway there, then come back here.',
    openAgain: 'Open the browser again',
    copyLink: 'Copy link',
    timeLeft: 'Time left: {{time}}',
    useClientId: 'Save and log in',
    logInHint: 'Your browser opens for it. Afterwards your profiles are shown here.',
    loggedOut:
      'You are logged out here. The service still lists Causeway as an approved application. To revoke that, open your account page at {{address}}.',
    logIn: 'Log in',
    cancel: 'Cancel',
    logOut: 'Log out',
    refresh: 'Refresh',
    retry: 'Try again',
    profilesOf: 'Profiles of {{instance}}',
    loading: 'Getting your profiles…',
    noProfiles: 'There is no profile for you here. Ask your organization to give you one.',
    findProfile: 'Find a profile',
    noProfileFound: 'No profile has this name.',
    profileInUse: 'In use',
    profileLast: 'Used last',
    profileAllTraffic: 'All your traffic goes through it',
    profileSomeTraffic: 'Only traffic to its network goes through it',
  },
  messages: {
    title: 'Messages',
    from: 'Message from {{instance}}',
    unread: 'Unread',
    unreadCount_one: '{{count, number}} unread message',
    unreadCount_other: '{{count, number}} unread messages',
    refresh: 'Refresh',
    loading: 'Getting your messages…',
    noneTitle: 'No messages',
    noneText: 'When a service has something to tell you, such as planned maintenance, you read it here.',
    noInstance: 'Add your VPN service under Connection first. Its messages are shown here.',
    signedOut: 'Log in to {{instance}} under Connection to read its messages.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'As of {{time}}: {{instance}} cannot be reached now.',
  },
  notices: {
    title: 'Before you go on',
    dismiss: 'Understood',
  },
  error: {
    code: 'Code: {{code}}',
    serverSays: 'The server says: {{text}}',
    directive: 'Directive: {{directive}}',
    endsAt: 'At {{instance}} it ends on {{time}}.',
    endedAt: 'At {{instance}} it ended on {{time}}.',
    versions: 'API version offered: {{versions}}',
    issuer:
      "Its certificate was issued by “{{issuer}}”, an authority that this computer doesn't trust. If your organization runs this authority, ask for its certificate to be added to this computer's certificate store.",
    clientId: 'Client ID used: {{clientId}}',
    clockAhead: 'The clock is {{by}} ahead of that of {{instance}}.',
    clockBehind: 'The clock is {{by}} behind that of {{instance}}.',
    busy: 'The service is busy.',
    tryAgain: 'Try again {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'The organization service did not accept the token.',
        todo: 'Check that it is complete and has not expired, or ask the people who run the service for another one.',
      },
      passwordRefused: {
        what: 'The organization service did not accept the user name and password.',
        todo: 'Check their spelling, and enter them again.',
      },
      passwordWanted: {
        what: 'The organization service wants a user name and password here, not a token.',
        todo: 'Enter a user name and password that you have for it.',
      },
      tokenWanted: {
        what: 'The organization service wants a token here, not a user name and password.',
        todo: 'Enter a token that you have for it.',
      },
    },
    file: 'File: {{path}}',
    boundaryTitle: 'This view cannot be shown',
    boundaryText: 'Your connection is not affected. Try again, and report it if it comes back.',
    retry: 'Try again',
  },
  desktop,
  errors,
} as const
