import type { Translation } from '../translation'

/** The settings of one instance. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Instellingen',
  changeOf: 'Instellingen van {{instance}}',
  title: 'Instellingen van {{instance}}',
  text: 'Laat een veld leeg om te gebruiken wat de dienst zelf zegt.',
  loading: 'Instellingen lezen',
  notOffered: 'De dienst biedt dit niet aan',
  notKnown: 'De dienst is nu niet bereikbaar',
  clientId: 'Client-id',
  clientIdText: 'De naam waaronder Causeway inlogt. Log opnieuw in nadat je die hebt veranderd.',
  attachments: 'Adres van bijlagen',
  content: 'Adres van nieuws',
  organizations: 'Adres van organisaties',
  userId: 'Je gebruikers-id',
  userIdText: 'Voor een bijlagendienst die niet vanzelf weet wie je bent.',
  roles: 'Je rollen daar',
  role: {
    ADMINISTRATOR: 'Beheerder',
    CONTRIBUTOR: 'Bijdrager',
    MEMBER: 'Lid',
  },
  save: 'Opslaan',
  cancel: 'Annuleren',
  saved: 'Opgeslagen.',
  invalid: {
    address:
      'Dit kan niet worden gebruikt. Geef een adres dat met https:// begint, zonder gebruikersnaam, ? of #.',
    clientId:
      'Dit kan niet worden gebruikt. Geef de id die de dienst heeft geregistreerd, zoals org.example.app.',
    userId: 'Dit kan niet worden gebruikt. Geef letters, cijfers en tekens zonder spaties, hoogstens 255.',
  },
}
