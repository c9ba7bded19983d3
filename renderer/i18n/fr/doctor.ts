import type { Translation } from '../translation'

/** The texts of the doctor. */
export const doctor: Translation['doctor'] = {
  title: 'Diagnostic',
  text: 'Ce dont Causeway a besoin sur cet ordinateur, et que faire s’il manque quelque chose.',
  link: 'Vérifier cet ordinateur',
  linkText: 'Cherche tout ce dont Causeway a besoin, et dit que faire s’il manque quelque chose.',
  checking: 'Vérification…',
  again: 'Vérifier de nouveau',
  remedy: 'Dans un terminal :',
  summary: {
    ok: 'Tout ce dont Causeway a besoin est là.',
    limited: 'Causeway fonctionne ici, mais pas entièrement.',
    missing: 'Il manque quelque chose dont Causeway a besoin.',
  },
  word: {
    ok: 'Correct',
    limited: 'Limité',
    missing: 'Manquant',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'Service OpenVPN',
    rights: 'Droits',
    helper: 'Programme auxiliaire',
    'tun-device': 'Interface du tunnel',
    'key-store': 'Trousseau',
    dns: 'Serveurs DNS',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} dans {{path}}.',
    'openvpn-unusable': 'Il n’y a pas d’OpenVPN utilisable.',
    'service-ready': 'Le service OpenVPN fonctionne, et démarre des connexions pour vous.',
    'service-missing':
      'Le service OpenVPN ne fonctionne pas : aucun tunnel sans les droits d’un administrateur.',
    'service-without-powershell':
      'Le service OpenVPN fonctionne, mais Windows ne laisse pas Causeway exécuter PowerShell, qui met fin à une connexion si Causeway disparaît.',
    'service-not-for-you':
      'Le service OpenVPN fonctionne, mais vous n’êtes dans aucun des groupes pour lesquels il démarre d’ordinaire des connexions.',
    'rights-of-service': 'Le service OpenVPN met en place l’interface réseau et les routes.',
    'rights-of-helper': 'Le programme auxiliaire met en place l’interface réseau et les routes.',
    'rights-of-process':
      'Causeway a le droit de mettre en place lui-même une interface réseau et des routes.',
    'rights-need-helper':
      'Causeway n’a pas le droit de créer une interface réseau : il n’y a pas encore de tunnel.',
    'rights-need-service':
      'Causeway n’a pas le droit de créer une interface réseau : il n’y a pas encore de tunnel.',
    'helper-ready': '{{path}} est là et peut être utilisé.',
    'helper-missing':
      'Le programme auxiliaire n’est pas installé : pas de serveurs DNS d’un VPN, pas de kill switch, et pas de tunnel sans root.',
    'helper-missing-macos':
      'Le programme auxiliaire n’est pas installé : pas de tunnel sans root, et pas de serveurs DNS d’un VPN.',
    'helper-not-built':
      'Le programme auxiliaire n’est pas installé et cette copie de Causeway ne le contient pas.',
    'helper-not-used':
      '{{path}} n’est pas utilisé : d’autres que root pourraient le modifier, ou il n’y a ni pkexec ni sudo.',
    'tun-ready': '{{path}} peut être ouvert.',
    'tun-absent': '{{path}} n’existe pas.',
    'tun-denied': 'Vous n’avez pas le droit d’ouvrir {{path}}.',
    'key-store-ready': 'L’écriture et la relecture du trousseau ont réussi.',
    'key-store-differs': 'Le trousseau a rendu autre chose que ce qui y avait été écrit.',
    'key-store-unusable': 'Le trousseau est inutilisable.',
    'dns-ready': '{{program}} est là pour définir les serveurs DNS.',
    'dns-missing':
      'Il n’y a ni resolvectl ni resolvconf : les serveurs DNS d’un VPN ne peuvent pas être définis.',
    'nft-found': 'Le programme nftables est là pour le kill switch.',
    'nft-missing': 'Le programme nftables, nécessaire au kill switch, n’est pas là.',
  },
  todo: {
    'openvpn-unusable':
      'Installez OpenVPN 2.5 ou une version plus récente, ou indiquez-le dans les réglages.',
    'service-missing':
      'Installez OpenVPN avec son service, ou démarrez le service Windows « OpenVPN Interactive Service ».',
    'service-without-powershell':
      'Demandez à l’administrateur de cet ordinateur d’autoriser PowerShell pour vous.',
    'service-not-for-you':
      'Demandez à un administrateur d’ajouter votre compte au groupe « OpenVPN Administrators », puis rouvrez votre session Windows.',
    'rights-need-helper': 'Installez le programme auxiliaire.',
    'rights-need-service':
      'Installez OpenVPN avec son service. Causeway n’a pas besoin de fonctionner en tant qu’administrateur.',
    'helper-missing': 'Installez le programme auxiliaire.',
    'helper-missing-macos': 'Installez le programme auxiliaire.',
    'helper-not-built': 'Installez Go, puis compilez et installez le programme auxiliaire.',
    'helper-not-used':
      'Installez pkexec (sous Debian, pkexec et polkitd), puis réinstallez le programme auxiliaire.',
    'tun-absent': 'Chargez le module du noyau de l’interface.',
    'tun-denied': 'Permettez à tous d’ouvrir l’interface, comme le font les systèmes de bureau.',
    'key-store-differs': 'Déverrouillez le trousseau, ou fermez puis rouvrez votre session sur l’ordinateur.',
    'key-store-unusable': 'Déverrouillez ou démarrez le trousseau de votre bureau.',
    'dns-missing': 'Installez systemd-resolved ou resolvconf.',
    'nft-missing': 'Installez nftables.',
  },
}
