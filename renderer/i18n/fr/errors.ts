import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway a rencontré une situation qu’il ne sait pas traiter.',
    todo: 'Réessayez. Si le problème se répète, signalez-le avec le code ci-dessous.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway s’est arrêté de façon inattendue alors qu’il était connecté ou se connectait.',
    todo: 'Reconnectez-vous. Si le problème se répète, envoyez à votre organisation le rapport qui se trouve sous Réglages, « Copier pour l’assistance ».',
  },
  'usage/invalid-argument': {
    what: 'Causeway ne peut rien faire de cette saisie.',
    todo: 'Vérifiez-la, puis réessayez.',
  },
  'usage/unknown-instance': {
    what: 'Ce service n’est plus dans votre liste.',
    todo: 'Ajoutez-le de nouveau par son adresse.',
  },
  'usage/instance-needed': {
    what: 'Le service à utiliser n’est pas précisé.',
    todo: 'Choisissez-en un dans votre liste, ou ajoutez-en d’abord un.',
  },
  'usage/no-last-connection': {
    what: 'Causeway n’a mémorisé aucune connexion précédente.',
    todo: 'Choisissez un profil.',
  },
  'usage/profile-needed': {
    what: 'Le profil à utiliser n’est pas précisé.',
    todo: 'Choisissez-en un dans la liste.',
  },

  'http/insecure-url': {
    what: 'L’adresse n’est pas sécurisée.',
    todo: 'Utilisez une adresse qui commence par https.',
  },
  'http/unreachable': {
    what: 'Le serveur était injoignable.',
    todo: 'Vérifiez votre réseau et l’adresse, puis réessayez.',
  },
  'http/tls-failed': {
    what: 'La connexion sécurisée avec le serveur n’a pas pu s’établir : son certificat ne convient pas.',
    todo: 'Vérifiez l’adresse et l’horloge de cet ordinateur. Sur un réseau d’invités, ouvrez d’abord une page web et identifiez-vous.',
  },
  'http/timed-out': {
    what: 'Le serveur n’a pas répondu à temps.',
    todo: 'Réessayez dans un moment, ou depuis un autre réseau.',
  },
  'http/too-large': {
    what: 'Le serveur a envoyé bien plus que demandé, et Causeway a arrêté la lecture.',
    todo: 'Vérifiez l’adresse. Si elle est juste, prévenez les responsables du service.',
  },
  'http/private-address': {
    what: 'Le service a indiqué une adresse qui n’est pas sur l’internet public ; Causeway ne l’a pas contactée.',
    todo: 'Prévenez les responsables du service.',
  },
  'http/cancelled': {
    what: 'La demande a été annulée.',
    todo: 'Relancez-la quand vous voudrez continuer.',
  },

  'discovery/invalid-address': {
    what: 'Ce n’est pas l’adresse d’un service.',
    todo: 'Saisissez-la telle qu’on vous l’a donnée, par exemple vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Cette adresse commence par http:// : les échanges pourraient être lus en chemin.',
    todo: 'Utilisez l’adresse qui commence par https://.',
  },
  'discovery/not-found': {
    what: 'Il n’y a pas de service VPN à cette adresse.',
    todo: 'Vérifiez l’adresse auprès de votre organisation.',
  },
  'discovery/not-json': {
    what: 'Cette adresse répond, mais pas comme un service VPN.',
    todo: 'Vérifiez l’adresse. Sur un réseau d’invités, ouvrez d’abord une page web et identifiez-vous.',
  },
  'discovery/no-vpn-api': {
    what: 'Le service à cette adresse n’utilise aucune version que Causeway comprenne.',
    todo: 'Demandez à votre organisation quelle application convient à son service.',
  },
  'discovery/unsupported-version': {
    what: 'Ce service ne propose qu’une version de l’API VPN que cette version de Causeway ne prend pas encore en charge.',
    todo: 'Vérifiez s’il existe une version plus récente de Causeway ou demandez à votre organisation quelle application convient à son service.',
  },
  'discovery/invalid-document': {
    what: 'Le service se décrit d’une façon que Causeway ne peut pas utiliser.',
    todo: 'Prévenez les responsables du service.',
  },
  'discovery/too-many-redirects': {
    what: 'L’adresse renvoie sans fin d’un endroit à l’autre.',
    todo: 'Vérifiez l’adresse, ou prévenez les responsables du service.',
  },
  'discovery/insecure-redirect': {
    what: 'L’adresse renvoie vers un endroit non sécurisé, et Causeway ne l’a pas suivie.',
    todo: 'Vérifiez l’adresse, ou prévenez les responsables du service.',
  },
  'discovery/invalid-redirect': {
    what: 'L’adresse renvoie vers un endroit qui n’existe pas.',
    todo: 'Vérifiez l’adresse, ou prévenez les responsables du service.',
  },
  'discovery/server-error': {
    what: 'Le service est lui-même en panne pour le moment.',
    todo: 'Réessayez dans un moment.',
  },

  'oauth/login-required': {
    what: 'Votre session est terminée.',
    todo: 'Ouvrez une nouvelle session pour continuer.',
  },
  'oauth/access-denied': {
    what: 'L’accès a été refusé dans le navigateur.',
    todo: 'Ouvrez de nouveau une session et autorisez Causeway dans le navigateur.',
  },
  'oauth/client-refused': {
    what: 'Ce service ne connaît pas Causeway : personne ne peut encore y ouvrir de session avec cette application.',
    todo: 'Demandez aux administrateurs du service d’enregistrer Causeway, ou saisissez l’identifiant client qu’ils vous ont donné.',
  },
  'oauth/authorization-failed': {
    what: 'Le service n’a pas accepté l’ouverture de session.',
    todo: 'Réessayez. Si le problème se répète, prévenez les responsables du service.',
  },
  'oauth/cancelled': {
    what: 'L’ouverture de session a été annulée.',
    todo: 'Recommencez-la quand vous voudrez continuer.',
  },
  'oauth/timed-out': {
    what: 'Causeway a attendu le navigateur et n’a rien reçu.',
    todo: 'Ouvrez de nouveau une session. Si le navigateur affiche une erreur, prévenez les responsables du service.',
  },
  'oauth/issuer-mismatch': {
    what: 'La réponse du navigateur vient d’un autre service que celui demandé, et Causeway ne l’a pas utilisée.',
    todo: 'Ouvrez de nouveau une session. Si le problème se répète, prévenez les responsables du service.',
  },
  'oauth/invalid-callback': {
    what: 'Il manque à la réponse du navigateur ce dont Causeway a besoin.',
    todo: 'Ouvrez de nouveau une session.',
  },
  'oauth/code-refused': {
    what: 'Le service a retiré l’autorisation qu’il venait de donner.',
    todo: 'Ouvrez de nouveau une session.',
  },
  'oauth/invalid-token-response': {
    what: 'Le service a répondu à l’ouverture de session d’une façon que Causeway ne peut pas utiliser.',
    todo: 'Prévenez les responsables du service.',
  },
  'oauth/server-error': {
    what: 'L’ouverture de session du service est elle-même en panne pour le moment.',
    todo: 'Réessayez dans un moment. Votre session reste ouverte.',
  },
  'oauth/browser-not-opened': {
    what: 'Votre navigateur ne s’est pas ouvert.',
    todo: 'Définissez un navigateur par défaut dans votre système, puis réessayez.',
  },

  'vpn-api/refused': {
    what: 'Le service a refusé la demande.',
    todo: 'Réessayez. Si le problème se répète, prévenez les responsables du service.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Ce profil n’existe plus, ou ne vous est pas destiné.',
    todo: 'Choisissez un autre profil, ou demandez-le à votre organisation.',
  },
  'vpn-api/server-error': {
    what: 'Le service est lui-même en panne pour le moment.',
    todo: 'Réessayez dans un moment.',
  },
  'vpn-api/invalid-response': {
    what: 'Le service a répondu d’une façon que Causeway ne peut pas utiliser.',
    todo: 'Prévenez les responsables du service.',
  },

  'certificate/none': {
    what: 'Il n’y a pas encore de certificat de ce service sur cet ordinateur.',
    todo: 'Connectez-vous une fois, et Causeway en obtiendra un.',
  },
  'certificate/invalid': {
    what: 'Le service vous a donné un certificat qui ne fonctionne pas.',
    todo: 'Réessayez. Si le problème se répète, prévenez les responsables du service.',
  },
  'certificate/clock-mismatch': {
    what: 'D’après l’horloge de cet ordinateur, votre certificat n’est pas encore valable : les horloges ne concordent pas.',
    todo: 'Ajustez l’horloge et le fuseau horaire de cet ordinateur, puis reconnectez-vous.',
  },
  'certificate/refused': {
    what: 'Le service n’accepte pas votre certificat et ne vous en donne pas d’autre.',
    todo: 'Demandez à votre organisation si votre compte est toujours actif.',
  },

  'secret-store/unavailable': {
    what: 'Cet ordinateur n’a pas de trousseau où conserver votre session.',
    todo: 'Configurez un trousseau comme GNOME Keyring ou KWallet, puis redémarrez Causeway.',
  },
  'secret-store/locked': {
    what: 'Le trousseau de cet ordinateur est verrouillé.',
    todo: 'Déverrouillez-le, puis réessayez.',
  },
  'secret-store/in-file': {
    what: 'Vos sessions sont conservées dans un fichier, et non dans un trousseau. Toute personne qui peut lire vos fichiers peut les utiliser.',
    todo: 'Démarrez Causeway sans l’option secret-store dès que cet ordinateur aura un trousseau.',
  },
  'secret-store/failed': {
    what: 'Le trousseau de cet ordinateur n’a pas fait ce qui lui était demandé.',
    todo: 'Réessayez. Si le problème se répète, fermez puis rouvrez votre session sur l’ordinateur.',
  },

  'profile-configuration/malformed': {
    what: 'Le profil est endommagé ou incomplet, et Causeway ne l’utilise pas.',
    todo: 'Prévenez les responsables du service.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'Le profil demande quelque chose qui pourrait nuire à cet ordinateur, et Causeway ne l’utilise pas.',
    todo: 'Prévenez les responsables du service.',
  },
  'profile-configuration/invalid-argument': {
    what: 'Le profil contient une valeur que Causeway ne transmet pas.',
    todo: 'Prévenez les responsables du service.',
  },
  'profile-configuration/incomplete': {
    what: 'Il manque au profil un élément indispensable au tunnel.',
    todo: 'Prévenez les responsables du service.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Vous avez choisi TCP, et ce profil n’a aucun serveur TCP.',
    todo: 'Désactivez « Utiliser uniquement TCP », ou choisissez un autre profil.',
  },

  'openvpn/not-found': {
    what: 'OpenVPN est introuvable sur cet ordinateur.',
    todo: 'Installez OpenVPN 2.5 ou une version plus récente, ou corrigez le chemin où Causeway le cherche, puis reconnectez-vous.',
  },
  'openvpn/too-old': {
    what: 'La version d’OpenVPN de cet ordinateur est trop ancienne.',
    todo: 'Mettez-la à jour, puis reconnectez-vous.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway n’a pas le droit de mettre en place un tunnel sur cet ordinateur.',
    todo: 'Accordez-le quand votre système le demande, ou adressez-vous à la personne qui gère cet ordinateur.',
  },
  'openvpn/certificate-rejected': {
    what: 'Le serveur a rejeté votre certificat, puis un nouveau.',
    todo: 'Fermez la session et ouvrez-en une nouvelle. Si le problème se répète, demandez à votre organisation.',
  },
  'openvpn/authentication-failed': {
    what: 'Le serveur ne vous a pas laissé entrer.',
    todo: 'Demandez à votre organisation si vous avez le droit d’utiliser ce profil.',
  },
  'openvpn/server-not-verified': {
    what: 'Le serveur n’a pas pu prouver qu’il est le bon, et Causeway s’est arrêté.',
    todo: 'Essayez un autre réseau. Si le problème se répète, prévenez les responsables du service.',
  },
  'openvpn/unreachable': {
    what: 'Aucun serveur de ce profil n’a répondu.',
    todo: 'Vérifiez votre réseau. Certains réseaux bloquent les VPN : essayez-en un autre.',
  },
  'openvpn/name-not-resolved': {
    what: 'Le nom du serveur VPN n’a pas pu être résolu.',
    todo: 'Vérifiez votre réseau, puis réessayez.',
  },
  'openvpn/halted-by-server': {
    what: 'Le serveur a mis fin au tunnel.',
    todo: 'Lisez les messages du service, et reconnectez-vous plus tard.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN ne peut pas fonctionner avec ce profil.',
    todo: 'Prévenez les responsables du service.',
  },
  'openvpn/timed-out': {
    what: 'Le tunnel n’a pas pu s’établir à temps.',
    todo: 'Réessayez, ou essayez un autre réseau.',
  },
  'network/captive-portal': {
    what: 'Ce réseau demande de vous identifier avant de donner accès à l’extérieur.',
    todo: 'Ouvrez une page web dans votre navigateur, identifiez-vous, puis reconnectez-vous.',
  },
  'connection/lost': {
    what: 'Le tunnel a été perdu, et la reconnexion automatique est désactivée.',
    todo: 'Reconnectez-vous, ou activez la reconnexion automatique dans les réglages.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN s’est arrêté de façon inattendue.',
    todo: 'Reconnectez-vous. Si le problème se répète, signalez-le avec le code ci-dessous.',
  },

  'helper/not-installed': {
    what: 'Le programme auxiliaire de Causeway n’est pas installé, et sans lui Causeway n’a pas le droit de créer une interface réseau.',
    todo: 'Installez-le avec « causeway helper install ».',
  },
  'helper/dismissed': {
    what: 'La demande d’autorisation pour mettre en place la connexion a été fermée sans réponse.',
    todo: 'Reconnectez-vous, et répondez-y.',
  },
  'helper/not-authorized': {
    what: 'Cet ordinateur ne vous autorise pas à mettre en place une connexion.',
    todo: 'Adressez-vous à son administrateur, ou connectez-vous depuis la session de bureau, où un mot de passe peut vous être demandé.',
  },
  'helper/refused': {
    what: 'Le programme auxiliaire de Causeway a refusé la configuration de cette connexion.',
    todo: 'Demandez à l’administrateur de ce service de corriger le profil, ou réinstallez le programme auxiliaire de cette version.',
  },
  'helper/failed': {
    what: 'Le programme auxiliaire de Causeway n’a pas pu faire son travail.',
    todo: 'Exécutez « causeway doctor » dans un terminal.',
  },
  'helper/needed-for-kill-switch': {
    what: 'Le kill switch a besoin du programme auxiliaire de Causeway, qui n’est pas installé.',
    todo: 'Installez-le avec « causeway helper install », ou désactivez le kill switch sous « Réglages ».',
  },
  'helper/kill-switch-failed': {
    what: 'Le kill switch n’a pas pu être mis en place, et Causeway ne s’est pas connecté.',
    todo: 'Installez nftables, ou désactivez le kill switch sous « Réglages ».',
  },
  'helper/traffic-blocked': {
    what: 'Le kill switch maintient tout le trafic bloqué.',
    todo: 'Levez le blocage avec « causeway connect --release », puis reconnectez-vous.',
  },
  'helper/dns-not-set': {
    what: 'Les serveurs DNS de ce VPN n’ont pas pu être définis, et les noms sont toujours résolus en dehors du VPN.',
    todo: 'Installez systemd-resolved ou resolvconf, puis reconnectez-vous.',
  },
  'helper/repaired': {
    what: 'Une connexion s’était terminée en laissant des traces.',
    todo: 'Elles sont maintenant effacées. Vous n’avez rien à faire.',
  },
  'helper/service-missing': {
    what: 'Le service OpenVPN ne fonctionne pas sur cet ordinateur, et sans lui Causeway n’a pas le droit de mettre en place une connexion.',
    todo: 'Installez OpenVPN avec son service, ou démarrez le service Windows « OpenVPN Interactive Service ».',
  },
  'helper/service-refused': {
    what: 'Le service OpenVPN de cet ordinateur ne démarre pas de connexions pour vous.',
    todo: 'Demandez à un administrateur d’ajouter votre compte au groupe « OpenVPN Administrators », puis rouvrez votre session Windows.',
  },
  'helper/powershell-refused': {
    what: 'Windows ne laisse pas Causeway exécuter PowerShell, qui mettrait fin à la connexion si Causeway disparaissait.',
    todo: 'Demandez à l’administrateur de cet ordinateur d’autoriser PowerShell pour vous.',
  },
  'helper/kill-switch-not-offered': {
    what: 'Il n’y a pas encore de kill switch sur ce système.',
    todo: 'Désactivez le kill switch sous « Réglages », puis reconnectez-vous.',
  },

  'attachments/refused': {
    what: 'Le service d’annexes a refusé la demande.',
    todo: 'Demandez à votre organisation si vous avez le droit de l’utiliser.',
  },
  'attachments/unavailable': {
    what: 'Le service d’annexes ne peut pas répondre pour le moment.',
    todo: 'Attendez un instant, puis réessayez.',
  },
  'attachments/unreadable': {
    what: 'Certaines annexes sont illisibles et ne sont pas affichées.',
    todo: 'Prévenez les responsables du service.',
  },
  'attachments/not-offered': {
    what: 'Ce service ne propose pas d’annexes.',
    todo: 'Choisissez un autre service, ou demandez l’adresse à ses responsables et saisissez-la sous « Réglages ».',
  },
  'attachments/invalid-response': {
    what: 'Le service d’annexes a répondu d’une façon que Causeway ne peut pas utiliser.',
    todo: 'Prévenez les responsables du service.',
  },
  'attachments/invalid-request': {
    what: 'Le service d’annexes n’a pas été interrogé, car la demande est incomplète.',
    todo: 'Vérifiez votre saisie.',
  },
  'attachments/forbidden': {
    what: 'Le service d’annexes ne vous autorise pas à faire cela.',
    todo: 'Vérifiez sous « Réglages » votre identifiant et vos rôles pour ce service, ou demandez le rôle à votre organisation.',
  },
  'attachments/not-found': {
    what: 'Cette annexe n’existe pas, ou son fichier n’est pas encore arrivé.',
    todo: 'Actualisez la liste, ou attendez la fin de l’envoi.',
  },
  'attachments/not-a-file': {
    what: 'Cette annexe est un lien, pas un fichier.',
    todo: 'Ouvrez plutôt le lien.',
  },
  'attachments/extension-needed': {
    what: 'Le nom de ce fichier n’a pas d’extension, comme .pdf, et le service en exige une.',
    todo: 'Donnez au fichier un nom qui se termine par une extension.',
  },
  'attachments/file-unreadable': {
    what: 'Ce fichier ne peut pas être lu.',
    todo: 'Vérifiez qu’il existe, que c’est bien un fichier et que vous avez le droit de le lire.',
  },
  'attachments/file-changed': {
    what: 'Le fichier a changé pendant l’envoi.',
    todo: 'Attendez que plus rien n’y écrive, puis envoyez-le de nouveau.',
  },
  'attachments/file-exists': {
    what: 'Il existe déjà un fichier de ce nom.',
    todo: 'Choisissez un autre nom, ou autorisez son remplacement.',
  },
  'attachments/file-unwritable': {
    what: 'Le fichier ne peut pas être enregistré à cet endroit.',
    todo: 'Vérifiez qu’il reste de la place sur le disque et que vous avez le droit d’écrire dans le dossier.',
  },
  'attachments/file-missing': {
    what: 'Le service n’a plus le fichier de cette annexe.',
    todo: 'Demandez à son auteur de l’envoyer de nouveau.',
  },
  'attachments/storage-refused': {
    what: 'Le stockage du service d’annexes a refusé le fichier.',
    todo: 'Réessayez plus tard, ou prévenez les responsables du service.',
  },
  'attachments/not-opened': {
    what: 'Le fichier n’a pas pu s’ouvrir.',
    todo: 'Ouvrez-le depuis son dossier, avec le programme de votre choix.',
  },
  'attachments/unsafe-link': {
    what: 'Causeway n’ouvre pas ce genre de lien.',
    todo: 'Demandez à son auteur une adresse qui commence par https://.',
  },

  'content/not-offered': {
    what: 'Ce service ne propose pas d’actualités.',
    todo: 'Choisissez un autre service, ou demandez l’adresse à ses responsables et saisissez-la sous « Réglages ».',
  },

  'organizations/not-offered': {
    what: 'Ce service ne propose pas d’organisations.',
    todo: 'Choisissez un autre service, ou demandez l’adresse à ses responsables et saisissez-la sous « Réglages ».',
  },
  'organizations/invalid-request': {
    what: 'Ceci ne peut pas être envoyé tel quel au service d’organisations.',
    todo: 'Vérifiez votre saisie : il manque quelque chose, elle est trop longue ou contient des caractères inattendus.',
  },
  'organizations/unauthorized': {
    what: 'Le service d’organisations demande qui vous êtes.',
    todo: 'Saisissez le jeton, ou le nom d’utilisateur et le mot de passe, dont vous disposez pour lui.',
  },
  'organizations/forbidden': {
    what: 'Vous pouvez consulter cette organisation, mais pas la modifier.',
    todo: 'Demandez à l’un de ses administrateurs de le faire, ou de vous donner ce rôle.',
  },
  'organizations/not-found': {
    what: 'Cette organisation n’existe pas, ou n’existe plus.',
    todo: 'Vérifiez son numéro ou son nom, ou consultez-en une autre.',
  },
  'organizations/user-not-found': {
    what: 'Cet utilisateur n’existe pas, ou n’existe plus.',
    todo: 'Vérifiez l’orthographe et actualisez la liste.',
  },
  'organizations/name-taken': {
    what: 'Une autre organisation porte déjà ce nom.',
    todo: 'Choisissez un autre nom.',
  },
  'organizations/already-member': {
    what: 'Cet utilisateur est déjà membre.',
    todo: 'Cherchez-le dans la liste pour changer son rôle.',
  },
  'organizations/last-administrator': {
    what: 'Une organisation a besoin d’un administrateur, et celui-ci est le dernier.',
    todo: 'Nommez d’abord un autre administrateur.',
  },
  'organizations/refused': {
    what: 'Le service d’organisations ne l’a pas fait.',
    todo: 'Réessayez plus tard, ou demandez à ses responsables.',
  },
  'organizations/invalid-response': {
    what: 'Le service d’organisations a répondu d’une façon que Causeway ne peut pas utiliser.',
    todo: 'Prévenez les responsables du service. Si vous avez modifié quelque chose, actualisez pour voir si c’est fait.',
  },

  'content/invalid-request': {
    what: 'Le service d’actualités n’accepte pas cette saisie.',
    todo: 'Vérifiez-la, puis réessayez.',
  },
  'content/refused': {
    what: 'Le service d’actualités a refusé la demande.',
    todo: 'Demandez à votre organisation si vous avez le droit de l’utiliser.',
  },
  'content/not-found': {
    what: 'Le service d’actualités n’a rien à cet endroit, ou n’y a plus rien.',
    todo: 'Revenez à la liste et actualisez-la, ou vérifiez l’adresse.',
  },
  'content/unavailable': {
    what: 'Le service d’actualités ne peut pas répondre pour le moment.',
    todo: 'Attendez un instant, puis réessayez.',
  },
  'content/invalid-response': {
    what: 'Le service d’actualités a répondu d’une façon que Causeway ne peut pas utiliser.',
    todo: 'Réessayez plus tard. Si cela persiste, prévenez les responsables du service.',
  },

  'settings/unknown': {
    what: 'Ce réglage n’existe pas.',
    todo: 'Choisissez l’un de ceux qui sont affichés.',
  },
  'settings/invalid-value': {
    what: 'Ce réglage n’accepte pas cette valeur.',
    todo: 'Choisissez-en une autre.',
  },
  'start-at-login/window-only': {
    what: 'La commande du terminal ne peut pas activer cela ici.',
    todo: 'Activez-le dans les réglages de la fenêtre.',
  },
  'start-at-login/refused': {
    what: 'Le système n’a pas accepté ce réglage.',
    todo: 'Cherchez Causeway parmi les éléments d’ouverture dans les réglages de votre système, et autorisez-le.',
  },
  'data/damaged': {
    what: 'Un fichier de Causeway était endommagé, et Causeway a continué sans lui.',
    todo: 'Il a été mis de côté et rien n’en a été supprimé. Vérifiez vos réglages et votre liste de services.',
  },
  'data/unreadable': {
    what: 'Un fichier de Causeway n’a pas pu être lu.',
    todo: 'Vérifiez que vous avez le droit de lire le fichier indiqué ci-dessous.',
  },
  'data/unwritable': {
    what: 'Causeway n’a pas pu enregistrer votre modification.',
    todo: 'Vérifiez qu’il reste de la place sur le disque et que vous avez le droit d’écrire dans le fichier indiqué ci-dessous.',
  },
  'data/busy': {
    what: 'Une autre instance de Causeway occupe le même fichier depuis trop longtemps.',
    todo: 'Attendez un instant, ou arrêtez l’autre instance, puis réessayez.',
  },

  'connection/held-by-other': {
    what: 'Une autre instance de Causeway, comme la commande du terminal, tient le tunnel.',
    todo: 'Fermez d’abord le tunnel là-bas, ou fermez-le ici.',
  },

  'session/ends-soon': {
    what: 'Votre session se termine bientôt.',
    todo: 'Renouvelez-la d’ici là sous « Connexion ». Il suffit d’autoriser de nouveau Causeway dans votre navigateur.',
  },
  'session/over': {
    what: 'Votre session est terminée.',
    todo: 'Renouvelez-la : vous autorisez Causeway dans votre navigateur, et la connexion reprend.',
  },
  'clock/wrong': {
    what: 'L’horloge de cet ordinateur n’est pas à l’heure, et votre certificat n’y est donc pas valable.',
    todo: 'Ajustez l’horloge et le fuseau horaire dans les réglages de votre système, de préférence automatiquement, puis reconnectez-vous.',
  },
}
