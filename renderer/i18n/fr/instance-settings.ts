import type { Translation } from '../translation'

/** The settings of one instance. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Réglages',
  changeOf: 'Réglages de {{instance}}',
  title: 'Réglages de {{instance}}',
  text: 'Laissez un champ vide pour utiliser ce que le service indique lui-même.',
  loading: 'Lecture des réglages',
  notOffered: 'Non proposé par le service',
  notKnown: 'Le service est injoignable pour le moment',
  clientId: 'Identifiant client',
  clientIdText:
    'Le nom sous lequel Causeway ouvre une session. Ouvrez une nouvelle session après l’avoir modifié.',
  attachments: 'Adresse des annexes',
  content: 'Adresse des actualités',
  organizations: 'Adresse des organisations',
  userId: 'Votre identifiant d’utilisateur',
  userIdText: 'Pour un service d’annexes qui ne vous connaît pas de lui-même.',
  roles: 'Vos rôles sur ce service',
  role: {
    ADMINISTRATOR: 'Administrateur',
    CONTRIBUTOR: 'Contributeur',
    MEMBER: 'Membre',
  },
  save: 'Enregistrer',
  cancel: 'Annuler',
  saved: 'Enregistré.',
  invalid: {
    address:
      'Valeur inutilisable. Indiquez une adresse qui commence par https:// et ne contient ni nom d’utilisateur, ni ?, ni #.',
    clientId:
      'Valeur inutilisable. Indiquez l’identifiant que le service a enregistré, par exemple org.example.app.',
    userId: 'Valeur inutilisable. Indiquez au plus 255 lettres, chiffres et signes, sans espaces.',
  },
}
