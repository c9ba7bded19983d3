import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: 'Réglages',
  general: 'Général',
  language: 'Langue',
  languageText:
    'Pour tout ce qu’écrit Causeway, et pour les textes d’un service s’il les a dans cette langue.',
  languageSystem: 'Comme le système',
  theme: 'Thème',
  themeText: 'Clair ou sombre, ou comme le système.',
  themeSystem: 'Comme le système',
  themeLight: 'Clair',
  themeDark: 'Sombre',
  connection: 'Connexion',
  reconnect: {
    label: 'Reconnexion automatique',
    text: 'Rétablit de lui-même un tunnel interrompu, y compris sur un autre réseau et après la veille.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Bloque tout le trafic tant qu’un tunnel est interrompu, pour que rien ne passe à côté. Prend fin quand vous vous déconnectez ou cliquez sur « Autoriser le trafic ». S’applique à partir de la prochaine connexion.',
    missing: {
      'no-helper':
        'Il a besoin du programme auxiliaire de Causeway : exécutez « causeway helper install » dans un terminal.',
      'no-nft': 'Il a besoin de nftables, qui n’est pas installé sur cet ordinateur.',
      'not-on-this-system': 'Causeway n’en a pas sur ce système.',
    },
  },
  remoteStrategy: {
    label: 'Serveurs à essayer',
    text: 'Quels serveurs et ports d’un profil sont demandés.',
    first: 'Le premier port par type',
    random: 'Un port au hasard par type',
    all: 'Tous',
  },
  preferTcp: {
    label: 'Utiliser uniquement TCP',
    text: 'Pour les réseaux qui ne laissent pas passer UDP. Plus lent, et impossible avec un profil sans serveur TCP.',
  },
  autoConnect: {
    label: 'Se connecter au démarrage de Causeway',
    text: 'Reprend le dernier profil utilisé. S’il faut d’abord ouvrir une session, Causeway vous le dit.',
  },
  startAtLogin: {
    label: 'Démarrer avec la session de l’ordinateur',
    text: 'Causeway démarre dans la zone de notification, ou réduit s’il n’y en a pas.',
  },
  closeToTray: {
    label: 'Rester actif quand la fenêtre est fermée',
    text: 'Causeway reste avec votre connexion dans la zone de notification, si votre bureau en a une. « Quitter » dans son menu y met fin.',
  },
  notifications: {
    label: 'Notifications',
    text: 'Vous disent ce qui se passe pendant que vous regardez ailleurs : connexion établie ou perdue, session qui se termine, nouveaux messages.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'Le programme qui établit le tunnel.',
    detected: 'Détecté automatiquement',
    choose: 'Choisir…',
    detect: 'Détecter automatiquement',
  },
  instances: 'Services',
  noInstances: 'Il n’y en a pas encore. Ajoutez-en un sous « Connexion ».',
  remove: 'Retirer',
  removeQuestion: 'Retirer {{instance}} ? Sa session et sa clé seront effacées de cet ordinateur.',
  removeConfirm: 'Retirer {{instance}}',
  keep: 'Conserver',
  instance: instanceSettings,
  support: 'Assistance',
  supportText:
    'Pour les personnes qui vous aident : les versions, les réglages, ce qui manque ici et la fin du journal. Les mots de passe, les clés, les adresses réseau et votre nom en sont exclus.',
  supportCopy: 'Copier pour l’assistance',
  supportCopied: 'Copié. Collez-le dans votre message à l’assistance.',
}
