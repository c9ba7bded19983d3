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
    label: 'Rubriques',
    skip: 'Aller au contenu',
    connection: 'Connexion',
    messages: 'Messages',
    attachments: 'Annexes',
    news: 'Actualités',
    organization: 'Organisation',
    settings: 'Réglages',
    doctor: 'Diagnostic',
  },
  connection,
  instance: {
    choose: 'Service',
    welcomeTitle: 'Ajoutez votre service VPN',
    welcomeText: 'Votre organisation vous a donné son adresse. Vos profils s’afficheront ensuite ici.',
    welcomeWhat: 'Causeway relie cet ordinateur au VPN de votre organisation.',
    nextTitle: 'La suite',
    nextBrowser:
      'Cliquez sur « Ouvrir une session ». Votre navigateur s’ouvre : identifiez-vous et autorisez Causeway.',
    nextProfiles: 'Vos profils s’affichent ici. Cliquez sur « Se connecter » pour l’un d’eux.',
    address: 'Adresse',
    addressHint: 'Par exemple vpn.example.org',
    add: 'Ajouter le service',
    addAnother: 'Ajouter un autre service',
    notNow: 'Pas maintenant',
    signedIn: 'Session ouverte',
    signedOut: 'Aucune session ouverte',
    waiting: 'En attente de votre navigateur. Autorisez-y Causeway, puis revenez ici.',
    openAgain: 'Rouvrir le navigateur',
    copyLink: 'Copier le lien',
    timeLeft: 'Temps restant : {{time}}',
    useClientId: 'Enregistrer et ouvrir une session',
    logInHint: 'Votre navigateur va s’ouvrir. Vos profils s’afficheront ensuite ici.',
    loggedOut:
      'La session est fermée ici. Le service affiche toujours Causeway parmi les applications autorisées. Pour révoquer cet accès, ouvrez la page de votre compte sur {{address}}.',
    logIn: 'Ouvrir une session',
    cancel: 'Annuler',
    logOut: 'Fermer la session',
    refresh: 'Actualiser',
    retry: 'Réessayer',
    profilesOf: 'Profils de {{instance}}',
    loading: 'Récupération de vos profils…',
    noProfiles: 'Aucun profil ne vous est attribué ici. Demandez-en un à votre organisation.',
    findProfile: 'Chercher un profil',
    noProfileFound: 'Aucun profil ne porte ce nom.',
    profileInUse: 'En cours d’utilisation',
    profileLast: 'Dernier utilisé',
    profileAllTraffic: 'Tout votre trafic y passe',
    profileSomeTraffic: 'Seul le trafic vers son réseau y passe',
  },
  messages: {
    title: 'Messages',
    from: 'Message de {{instance}}',
    unread: 'Non lu',
    unreadCount_one: '{{count, number}} message non lu',
    unreadCount_many: '{{count, number}} messages non lus',
    unreadCount_other: '{{count, number}} messages non lus',
    refresh: 'Actualiser',
    loading: 'Récupération de vos messages…',
    noneTitle: 'Aucun message',
    noneText:
      'Quand un service a quelque chose à vous dire, comme une maintenance prévue, vous le lisez ici.',
    noInstance: 'Ajoutez d’abord votre service VPN sous « Connexion ». Ses messages s’afficheront ici.',
    signedOut: 'Ouvrez une session sur {{instance}} sous « Connexion » pour lire ses messages.',
  },
  attachments,
  news,
  organization,
  settings,
  offline: {
    asOf: 'État au {{time}} : {{instance}} est injoignable pour le moment.',
  },
  notices: {
    title: 'Avant de continuer',
    dismiss: 'Compris',
  },
  error: {
    code: 'Code : {{code}}',
    serverSays: 'Réponse du serveur : {{text}}',
    directive: 'Directive : {{directive}}',
    endsAt: 'Sur {{instance}}, elle se termine le {{time}}.',
    endedAt: 'Sur {{instance}}, elle s’est terminée le {{time}}.',
    versions: 'Version de l’API proposée : {{versions}}',
    issuer:
      'Le certificat a été émis par « {{issuer}} », une autorité à laquelle cet ordinateur ne fait pas confiance. Si votre organisation gère cette autorité, demandez l’ajout de son certificat au magasin de certificats de cet ordinateur.',
    clientId: 'Identifiant client utilisé : {{clientId}}',
    clockAhead: 'L’horloge avance de {{by}} sur celle de {{instance}}.',
    clockBehind: 'L’horloge retarde de {{by}} sur celle de {{instance}}.',
    busy: 'Le service est surchargé.',
    tryAgain: 'Réessayez {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'Le service d’organisations a refusé le jeton.',
        todo: 'Vérifiez qu’il est complet et n’a pas expiré, ou demandez-en un autre aux responsables du service.',
      },
      passwordRefused: {
        what: 'Le service d’organisations a refusé le nom d’utilisateur et le mot de passe.',
        todo: 'Vérifiez leur orthographe et saisissez-les à nouveau.',
      },
      passwordWanted: {
        what: 'Le service d’organisations demande ici un nom d’utilisateur et un mot de passe, et non un jeton.',
        todo: 'Saisissez le nom d’utilisateur et le mot de passe dont vous disposez pour lui.',
      },
      tokenWanted: {
        what: 'Le service d’organisations demande ici un jeton, et non un nom d’utilisateur et un mot de passe.',
        todo: 'Saisissez le jeton dont vous disposez pour lui.',
      },
    },
    file: 'Fichier : {{path}}',
    boundaryTitle: 'Cette rubrique ne peut pas s’afficher',
    boundaryText: 'Votre connexion n’est pas touchée. Réessayez, et signalez le problème s’il se répète.',
    retry: 'Réessayer',
  },
  doctor,
  desktop,
  errors,
}
