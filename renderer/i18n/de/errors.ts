import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway ist in eine Lage geraten, für die es nicht gemacht ist.',
    todo: 'Erneut versuchen. Tritt es wieder auf, mit dem unten stehenden Code melden.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway wurde unerwartet beendet, während eine Verbindung bestand oder aufgebaut wurde.',
    todo: 'Erneut verbinden. Tritt es wieder auf, den Bericht unter Einstellungen, „Für den Support kopieren“, an Ihre Organisation senden.',
  },
  'usage/invalid-argument': {
    what: 'Mit dieser Eingabe kann Causeway nichts anfangen.',
    todo: 'Eingabe prüfen und erneut versuchen.',
  },
  'usage/unknown-instance': {
    what: 'Dieser Dienst steht nicht mehr in der Liste.',
    todo: 'Den Dienst mit seiner Adresse neu hinzufügen.',
  },
  'usage/instance-needed': {
    what: 'Es ist nicht klar, welcher Dienst gemeint ist.',
    todo: 'Einen aus der Liste auswählen oder zuerst einen hinzufügen.',
  },
  'usage/no-last-connection': {
    what: 'Causeway kennt keine letzte Verbindung.',
    todo: 'Ein Profil auswählen.',
  },
  'usage/profile-needed': {
    what: 'Es ist nicht klar, welches Profil gemeint ist.',
    todo: 'Eines aus der Liste auswählen.',
  },

  'http/insecure-url': {
    what: 'Diese Adresse ist nicht sicher.',
    todo: 'Eine Adresse verwenden, die mit https beginnt.',
  },
  'http/unreachable': {
    what: 'Der Server war nicht erreichbar.',
    todo: 'Netzwerk und Adresse prüfen, dann erneut versuchen.',
  },
  'http/tls-failed': {
    what: 'Es kam keine sichere Verbindung zum Server zustande: Sein Zertifikat passt nicht.',
    todo: 'Die Adresse und die Uhr dieses Computers prüfen. In einem Gastnetz zuerst eine Webseite öffnen und sich dort anmelden.',
  },
  'http/timed-out': {
    what: 'Der Server hat nicht rechtzeitig geantwortet.',
    todo: 'Nach einer Weile oder aus einem anderen Netzwerk erneut versuchen.',
  },
  'http/too-large': {
    what: 'Der Server hat viel mehr gesendet als angefordert, daher hat Causeway das Lesen abgebrochen.',
    todo: 'Die Adresse prüfen. Stimmt sie, den Betreiber des Dienstes informieren.',
  },
  'http/private-address': {
    what: 'Der Dienst hat eine Adresse genannt, die nicht im öffentlichen Internet liegt. Causeway hat sie nicht aufgerufen.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'http/cancelled': {
    what: 'Die Anfrage wurde abgebrochen.',
    todo: 'Zum Fortfahren neu beginnen.',
  },

  'discovery/invalid-address': {
    what: 'Das ist nicht die Adresse eines Dienstes.',
    todo: 'Die Adresse so eingeben, wie sie mitgeteilt wurde, zum Beispiel vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Diese Adresse beginnt mit http://, sodass unterwegs jeder mitlesen könnte.',
    todo: 'Die Adresse verwenden, die mit https:// beginnt.',
  },
  'discovery/not-found': {
    what: 'Unter dieser Adresse gibt es keinen VPN-Dienst.',
    todo: 'Die Adresse bei Ihrer Organisation erfragen.',
  },
  'discovery/not-json': {
    what: 'Diese Adresse antwortet, aber nicht wie ein VPN-Dienst.',
    todo: 'Die Adresse prüfen. In einem Gastnetz zuerst eine Webseite öffnen und sich dort anmelden.',
  },
  'discovery/no-vpn-api': {
    what: 'Der Dienst unter dieser Adresse verwendet keine Version, die Causeway versteht.',
    todo: 'Bei Ihrer Organisation erfragen, welches Programm zu ihrem Dienst passt.',
  },
  'discovery/unsupported-version': {
    what: 'Dieser Dienst bietet nur eine Version der VPN-API an, die diese Version von Causeway noch nicht unterstützt.',
    todo: 'Nach einer neueren Version von Causeway suchen oder bei Ihrer Organisation erfragen, welches Programm zu ihrem Dienst passt.',
  },
  'discovery/invalid-document': {
    what: 'Der Dienst beschreibt sich auf eine Weise, mit der Causeway nichts anfangen kann.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'discovery/too-many-redirects': {
    what: 'Die Adresse leitet endlos weiter.',
    todo: 'Die Adresse prüfen oder den Betreiber des Dienstes informieren.',
  },
  'discovery/insecure-redirect': {
    what: 'Die Adresse leitet an eine unsichere Stelle weiter, daher ist Causeway ihr nicht gefolgt.',
    todo: 'Die Adresse prüfen oder den Betreiber des Dienstes informieren.',
  },
  'discovery/invalid-redirect': {
    what: 'Die Adresse leitet an eine Stelle weiter, die es nicht gibt.',
    todo: 'Die Adresse prüfen oder den Betreiber des Dienstes informieren.',
  },
  'discovery/server-error': {
    what: 'Der Dienst hat zurzeit selbst eine Störung.',
    todo: 'Nach einer Weile erneut versuchen.',
  },

  'oauth/login-required': {
    what: 'Die Anmeldung ist abgelaufen.',
    todo: 'Zum Fortfahren erneut anmelden.',
  },
  'oauth/access-denied': {
    what: 'Der Zugriff wurde im Browser abgelehnt.',
    todo: 'Erneut anmelden und dort den Zugriff für Causeway erlauben.',
  },
  'oauth/client-refused': {
    what: 'Dieser Dienst kennt Causeway nicht, deshalb kann sich damit noch niemand anmelden.',
    todo: 'Die Administratoren des Dienstes bitten, Causeway zu registrieren, oder die Client-ID eingeben, die Sie von ihnen erhalten haben.',
  },
  'oauth/authorization-failed': {
    what: 'Der Dienst hat die Anmeldung nicht zugelassen.',
    todo: 'Erneut versuchen. Tritt es wieder auf, den Betreiber des Dienstes informieren.',
  },
  'oauth/cancelled': {
    what: 'Die Anmeldung wurde abgebrochen.',
    todo: 'Zum Fortfahren erneut anmelden.',
  },
  'oauth/timed-out': {
    what: 'Causeway hat auf den Browser gewartet und keine Antwort erhalten.',
    todo: 'Erneut anmelden. Zeigt der Browser einen Fehler, den Betreiber des Dienstes informieren.',
  },
  'oauth/issuer-mismatch': {
    what: 'Die Antwort aus dem Browser kam von einem anderen Dienst als dem gefragten, daher hat Causeway sie nicht verwendet.',
    todo: 'Erneut anmelden. Tritt es wieder auf, den Betreiber des Dienstes informieren.',
  },
  'oauth/invalid-callback': {
    what: 'In der Antwort aus dem Browser fehlt etwas, das Causeway braucht.',
    todo: 'Erneut anmelden.',
  },
  'oauth/code-refused': {
    what: 'Der Dienst hat die gerade erteilte Erlaubnis zurückgenommen.',
    todo: 'Erneut anmelden.',
  },
  'oauth/invalid-token-response': {
    what: 'Mit der Antwort des Dienstes auf die Anmeldung kann Causeway nichts anfangen.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'oauth/server-error': {
    what: 'Die Anmeldung des Dienstes hat zurzeit selbst eine Störung.',
    todo: 'Nach einer Weile erneut versuchen. Die bisherige Anmeldung bleibt bestehen.',
  },
  'oauth/browser-not-opened': {
    what: 'Der Browser hat sich nicht geöffnet.',
    todo: 'Im System einen Standardbrowser festlegen, dann erneut versuchen.',
  },

  'vpn-api/refused': {
    what: 'Der Dienst hat die Anfrage abgelehnt.',
    todo: 'Erneut versuchen. Tritt es wieder auf, den Betreiber des Dienstes informieren.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Dieses Profil gibt es nicht mehr, oder es ist nicht für dieses Konto bestimmt.',
    todo: 'Ein anderes Profil auswählen oder bei Ihrer Organisation nachfragen.',
  },
  'vpn-api/server-error': {
    what: 'Der Dienst hat zurzeit selbst eine Störung.',
    todo: 'Nach einer Weile erneut versuchen.',
  },
  'vpn-api/invalid-response': {
    what: 'Mit der Antwort des Dienstes kann Causeway nichts anfangen.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },

  'certificate/none': {
    what: 'Auf diesem Computer gibt es noch kein Zertifikat dieses Dienstes.',
    todo: 'Einmal verbinden, dann erhält Causeway eines.',
  },
  'certificate/invalid': {
    what: 'Der Dienst hat ein Zertifikat ausgestellt, das nicht funktioniert.',
    todo: 'Erneut versuchen. Tritt es wieder auf, den Betreiber des Dienstes informieren.',
  },
  'certificate/clock-mismatch': {
    what: 'Nach der Uhr dieses Computers gilt das Zertifikat noch nicht: Die Uhren stimmen nicht überein.',
    todo: 'Uhr und Zeitzone dieses Computers richtig einstellen, dann erneut verbinden.',
  },
  'certificate/refused': {
    what: 'Der Dienst akzeptiert das Zertifikat nicht und stellt kein anderes aus.',
    todo: 'Bei Ihrer Organisation erfragen, ob das Konto noch aktiv ist.',
  },

  'secret-store/unavailable': {
    what: 'Auf diesem Computer gibt es keinen Schlüsselbund, in dem die Anmeldung aufbewahrt werden könnte.',
    todo: 'Einen Schlüsselbund wie GNOME Keyring oder KWallet einrichten, dann Causeway neu starten.',
  },
  'secret-store/locked': {
    what: 'Der Schlüsselbund dieses Computers ist gesperrt.',
    todo: 'Den Schlüsselbund entsperren, dann erneut versuchen.',
  },
  'secret-store/in-file': {
    what: 'Die Anmeldungen liegen in einer Datei statt in einem Schlüsselbund. Wer die Datei lesen kann, kann sie verwenden.',
    todo: 'Causeway ohne die Option secret-store starten, sobald dieser Computer einen Schlüsselbund hat.',
  },
  'secret-store/failed': {
    what: 'Der Schlüsselbund dieses Computers hat nicht getan, was verlangt war.',
    todo: 'Erneut versuchen. Tritt es wieder auf, am Computer ab- und wieder anmelden.',
  },

  'profile-configuration/malformed': {
    what: 'Das Profil ist beschädigt oder unvollständig, daher verwendet Causeway es nicht.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'Das Profil verlangt etwas, das diesem Computer schaden könnte, daher verwendet Causeway es nicht.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'profile-configuration/invalid-argument': {
    what: 'Das Profil enthält einen Wert, den Causeway nicht weitergibt.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'profile-configuration/incomplete': {
    what: 'Im Profil fehlt etwas, das ein Tunnel braucht.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Es soll nur TCP verwendet werden, aber dieses Profil hat keinen Server dafür.',
    todo: '„Nur TCP verwenden“ ausschalten oder ein anderes Profil auswählen.',
  },

  'openvpn/not-found': {
    what: 'OpenVPN wurde auf diesem Computer nicht gefunden.',
    todo: 'OpenVPN 2.5 oder neuer installieren oder den Pfad berichtigen, unter dem Causeway danach sucht, dann erneut verbinden.',
  },
  'openvpn/too-old': {
    what: 'OpenVPN ist auf diesem Computer zu alt.',
    todo: 'OpenVPN aktualisieren, dann erneut verbinden.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway darf auf diesem Computer keinen Tunnel einrichten.',
    todo: 'Bei der Rückfrage des Systems erlauben oder die Person fragen, die diesen Computer betreut.',
  },
  'openvpn/certificate-rejected': {
    what: 'Der Server hat das Zertifikat abgelehnt, und ein neues ebenfalls.',
    todo: 'Ab- und wieder anmelden. Tritt es wieder auf, bei Ihrer Organisation nachfragen.',
  },
  'openvpn/authentication-failed': {
    what: 'Der Server hat den Zugang verweigert.',
    todo: 'Bei Ihrer Organisation erfragen, ob dieses Profil verwendet werden darf.',
  },
  'openvpn/server-not-verified': {
    what: 'Der Server konnte nicht nachweisen, dass er der richtige ist, daher hat Causeway abgebrochen.',
    todo: 'Ein anderes Netzwerk versuchen. Tritt es wieder auf, den Betreiber des Dienstes informieren.',
  },
  'openvpn/unreachable': {
    what: 'Kein Server dieses Profils hat geantwortet.',
    todo: 'Das Netzwerk prüfen. Manche Netzwerke blockieren VPNs: ein anderes versuchen.',
  },
  'openvpn/name-not-resolved': {
    what: 'Der Name des VPN-Servers konnte nicht aufgelöst werden.',
    todo: 'Das Netzwerk prüfen, dann erneut versuchen.',
  },
  'openvpn/halted-by-server': {
    what: 'Der Server hat den Tunnel beendet.',
    todo: 'Die Hinweise des Dienstes lesen und später erneut verbinden.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN kann mit diesem Profil nicht arbeiten.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'openvpn/timed-out': {
    what: 'Der Tunnel kam nicht rechtzeitig zustande.',
    todo: 'Erneut oder in einem anderen Netzwerk versuchen.',
  },
  'network/captive-portal': {
    what: 'Dieses Netzwerk verlangt zuerst eine Anmeldung, bevor es eine Verbindung nach außen zulässt.',
    todo: 'Im Browser eine Webseite öffnen, sich dort anmelden und dann erneut verbinden.',
  },
  'connection/lost': {
    what: 'Der Tunnel wurde unterbrochen, und „Automatisch neu verbinden“ ist ausgeschaltet.',
    todo: 'Erneut verbinden oder „Automatisch neu verbinden“ in den Einstellungen einschalten.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN wurde unerwartet beendet.',
    todo: 'Erneut verbinden. Tritt es wieder auf, mit dem unten stehenden Code melden.',
  },

  'helper/not-installed': {
    what: 'Das Hilfsprogramm von Causeway ist nicht installiert, und ohne dieses darf Causeway kein Netzwerkgerät einrichten.',
    todo: 'Das Hilfsprogramm mit „causeway helper install“ installieren.',
  },
  'helper/dismissed': {
    what: 'Die Frage, ob Causeway die Verbindung einrichten darf, wurde nicht beantwortet.',
    todo: 'Erneut verbinden und die Frage beantworten.',
  },
  'helper/not-authorized': {
    what: 'Auf diesem Computer fehlt die Berechtigung, eine Verbindung einzurichten.',
    todo: 'Den Administrator fragen oder von der Desktop-Sitzung aus verbinden, wo nach einem Passwort gefragt werden kann.',
  },
  'helper/refused': {
    what: 'Das Hilfsprogramm von Causeway hat die Konfiguration dieser Verbindung abgelehnt.',
    todo: 'Den Administrator dieses Dienstes bitten, das Profil zu berichtigen, oder das Hilfsprogramm dieser Version neu installieren.',
  },
  'helper/failed': {
    what: 'Das Hilfsprogramm von Causeway konnte seine Aufgabe nicht ausführen.',
    todo: 'In einem Terminal „causeway doctor“ ausführen.',
  },
  'helper/needed-for-kill-switch': {
    what: 'Der Kill-Switch braucht das Hilfsprogramm von Causeway, das nicht installiert ist.',
    todo: 'Das Hilfsprogramm mit „causeway helper install“ installieren oder den Kill-Switch unter „Einstellungen“ ausschalten.',
  },
  'helper/kill-switch-failed': {
    what: 'Der Kill-Switch konnte nicht eingerichtet werden, daher hat Causeway keine Verbindung hergestellt.',
    todo: 'Das Programm nftables installieren oder den Kill-Switch unter „Einstellungen“ ausschalten.',
  },
  'helper/traffic-blocked': {
    what: 'Der Kill-Switch blockiert den gesamten Datenverkehr.',
    todo: 'Die Blockade mit „causeway connect --release“ aufheben, dann erneut verbinden.',
  },
  'helper/dns-not-set': {
    what: 'Die DNS-Server dieses VPNs konnten nicht eingestellt werden, daher werden Namen weiterhin außerhalb des VPNs aufgelöst.',
    todo: 'Das Programm systemd-resolved oder resolvconf installieren, dann erneut verbinden.',
  },
  'helper/repaired': {
    what: 'Eine Verbindung wurde beendet, ohne aufzuräumen.',
    todo: 'Ihre Reste sind jetzt beseitigt. Es ist nichts weiter zu tun.',
  },
  'helper/service-missing': {
    what: 'Der OpenVPN-Dienst läuft nicht auf diesem Computer, und ohne ihn darf Causeway keine Verbindung einrichten.',
    todo: 'OpenVPN mit seinem Dienst installieren oder den Windows-Dienst „OpenVPN Interactive Service“ starten.',
  },
  'helper/service-refused': {
    what: 'Der OpenVPN-Dienst dieses Computers startet für dieses Konto keine Verbindungen.',
    todo: 'Einen Administrator bitten, das Konto zur Gruppe „OpenVPN Administrators“ hinzuzufügen, dann neu bei Windows anmelden.',
  },
  'helper/powershell-refused': {
    what: 'Windows lässt Causeway PowerShell nicht ausführen, das die Verbindung beenden würde, falls Causeway nicht mehr läuft.',
    todo: 'Den Administrator dieses Computers bitten, PowerShell für dieses Konto zu erlauben.',
  },
  'helper/kill-switch-not-offered': {
    what: 'Auf diesem System gibt es noch keinen Kill-Switch.',
    todo: 'Den Kill-Switch unter „Einstellungen“ ausschalten, dann erneut verbinden.',
  },

  'attachments/refused': {
    what: 'Der Anhangsdienst hat die Anfrage abgelehnt.',
    todo: 'Bei Ihrer Organisation erfragen, ob er verwendet werden darf.',
  },
  'attachments/unavailable': {
    what: 'Der Anhangsdienst kann zurzeit nicht antworten.',
    todo: 'Einen Moment warten, dann erneut versuchen.',
  },
  'attachments/unreadable': {
    what: 'Einige Anhänge sind nicht lesbar und fehlen hier.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'attachments/not-offered': {
    what: 'Dieser Dienst bietet keine Anhänge.',
    todo: 'Einen anderen Dienst auswählen oder den Betreiber nach der Adresse fragen und sie unter „Einstellungen“ eintragen.',
  },
  'attachments/invalid-response': {
    what: 'Mit der Antwort des Anhangsdienstes kann Causeway nichts anfangen.',
    todo: 'Den Betreiber des Dienstes informieren.',
  },
  'attachments/invalid-request': {
    what: 'Der Anhangsdienst wurde nicht gefragt, da die Anfrage unvollständig ist.',
    todo: 'Die Eingaben prüfen.',
  },
  'attachments/forbidden': {
    what: 'Der Anhangsdienst erlaubt dies nicht.',
    todo: 'Unter „Einstellungen“ die Benutzer-ID und die Rollen für diesen Dienst prüfen oder bei Ihrer Organisation um die Rolle bitten.',
  },
  'attachments/not-found': {
    what: 'Diesen Anhang gibt es nicht, oder seine Datei ist noch nicht angekommen.',
    todo: 'Die Liste aktualisieren oder warten, bis der Upload abgeschlossen ist.',
  },
  'attachments/not-a-file': {
    what: 'Dieser Anhang ist ein Link, keine Datei.',
    todo: 'Stattdessen den Link öffnen.',
  },
  'attachments/extension-needed': {
    what: 'Der Name dieser Datei hat keine Endung wie .pdf, und der Dienst verlangt eine.',
    todo: 'Der Datei einen Namen mit Endung geben.',
  },
  'attachments/file-unreadable': {
    what: 'Diese Datei kann nicht gelesen werden.',
    todo: 'Prüfen, ob sie vorhanden ist, ob es sich um eine Datei handelt und ob Leserechte bestehen.',
  },
  'attachments/file-changed': {
    what: 'Die Datei wurde während des Hochladens geändert.',
    todo: 'Warten, bis kein Programm mehr hineinschreibt, dann erneut hochladen.',
  },
  'attachments/file-exists': {
    what: 'Es gibt bereits eine Datei mit diesem Namen.',
    todo: 'Einen anderen Namen wählen oder das Ersetzen erlauben.',
  },
  'attachments/file-unwritable': {
    what: 'Die Datei kann dort nicht gespeichert werden.',
    todo: 'Prüfen, ob genug Speicherplatz frei ist und Schreibrechte für den Ordner bestehen.',
  },
  'attachments/file-missing': {
    what: 'Der Dienst hat die Datei dieses Anhangs nicht mehr.',
    todo: 'Den Autor bitten, sie erneut hochzuladen.',
  },
  'attachments/storage-refused': {
    what: 'Der Speicher des Anhangsdienstes hat die Datei abgelehnt.',
    todo: 'Später erneut versuchen oder den Betreiber des Dienstes informieren.',
  },
  'attachments/not-opened': {
    what: 'Die Datei konnte nicht geöffnet werden.',
    todo: 'Die Datei aus ihrem Ordner mit einem passenden Programm öffnen.',
  },
  'attachments/unsafe-link': {
    what: 'Einen solchen Link öffnet Causeway nicht.',
    todo: 'Den Autor um eine Adresse bitten, die mit https:// beginnt.',
  },

  'content/not-offered': {
    what: 'Dieser Dienst bietet keine News.',
    todo: 'Einen anderen Dienst auswählen oder den Betreiber nach der Adresse fragen und sie unter „Einstellungen“ eintragen.',
  },

  'organizations/not-offered': {
    what: 'Dieser Dienst bietet keine Organisationen.',
    todo: 'Einen anderen Dienst auswählen oder den Betreiber nach der Adresse fragen und sie unter „Einstellungen“ eintragen.',
  },
  'organizations/invalid-request': {
    what: 'So kann dies nicht an den Organisationsdienst gesendet werden.',
    todo: 'Die Eingabe prüfen: Etwas fehlt, ist zu lang oder enthält Zeichen, die nicht hineingehören.',
  },
  'organizations/unauthorized': {
    what: 'Der Organisationsdienst verlangt Zugangsdaten.',
    todo: 'Das Token oder Benutzernamen und Passwort für diesen Dienst eingeben.',
  },
  'organizations/forbidden': {
    what: 'Diese Organisation darf angesehen, aber nicht geändert werden.',
    todo: 'Einen ihrer Administratoren bitten, dies zu tun oder die Rolle dafür zu vergeben.',
  },
  'organizations/not-found': {
    what: 'Diese Organisation gibt es nicht oder nicht mehr.',
    todo: 'Nummer oder Namen prüfen oder eine andere Organisation ansehen.',
  },
  'organizations/user-not-found': {
    what: 'Diesen Benutzer gibt es nicht oder nicht mehr.',
    todo: 'Die Schreibweise prüfen und die Liste aktualisieren.',
  },
  'organizations/name-taken': {
    what: 'Eine andere Organisation trägt diesen Namen bereits.',
    todo: 'Einen anderen Namen wählen.',
  },
  'organizations/already-member': {
    what: 'Dieser Benutzer ist bereits Mitglied.',
    todo: 'Den Benutzer in der Liste suchen, um die Rolle zu ändern.',
  },
  'organizations/last-administrator': {
    what: 'Eine Organisation braucht einen Administrator, und dies ist der letzte.',
    todo: 'Zuerst jemand anderen zum Administrator machen.',
  },
  'organizations/refused': {
    what: 'Der Organisationsdienst hat es nicht ausgeführt.',
    todo: 'Später erneut versuchen oder beim Betreiber nachfragen.',
  },
  'organizations/invalid-response': {
    what: 'Mit der Antwort des Organisationsdienstes kann Causeway nichts anfangen.',
    todo: 'Den Betreiber des Dienstes informieren. Nach einer Änderung aktualisieren, um zu sehen, ob sie ausgeführt wurde.',
  },

  'content/invalid-request': {
    what: 'Der News-Dienst nimmt diese Eingabe nicht an.',
    todo: 'Eingabe prüfen und erneut versuchen.',
  },
  'content/refused': {
    what: 'Der News-Dienst hat die Anfrage abgelehnt.',
    todo: 'Bei Ihrer Organisation erfragen, ob er verwendet werden darf.',
  },
  'content/not-found': {
    what: 'Der News-Dienst hat dort nichts oder nichts mehr.',
    todo: 'Zurück zur Liste gehen und sie aktualisieren oder die Adresse prüfen.',
  },
  'content/unavailable': {
    what: 'Der News-Dienst kann zurzeit nicht antworten.',
    todo: 'Einen Moment warten, dann erneut versuchen.',
  },
  'content/invalid-response': {
    what: 'Mit der Antwort des News-Dienstes kann Causeway nichts anfangen.',
    todo: 'Später erneut versuchen. Bleibt es so, den Betreiber des Dienstes informieren.',
  },

  'settings/unknown': {
    what: 'Diese Einstellung gibt es nicht.',
    todo: 'Eine der angezeigten auswählen.',
  },
  'settings/invalid-value': {
    what: 'Diese Einstellung lässt den Wert nicht zu.',
    todo: 'Einen anderen Wert wählen.',
  },
  'start-at-login/window-only': {
    what: 'Der Terminalbefehl kann dies hier nicht einschalten.',
    todo: 'In den Einstellungen des Fensters einschalten.',
  },
  'start-at-login/refused': {
    what: 'Das System hat dies nicht übernommen.',
    todo: 'Causeway in den Systemeinstellungen unter den Anmeldeobjekten suchen und dort erlauben.',
  },
  'data/damaged': {
    what: 'Eine Datei von Causeway war beschädigt, und Causeway hat ohne sie weitergemacht.',
    todo: 'Sie wurde beiseitegelegt, nichts davon ist gelöscht. Die Einstellungen und die Liste der Dienste prüfen.',
  },
  'data/unreadable': {
    what: 'Eine Datei von Causeway konnte nicht gelesen werden.',
    todo: 'Prüfen, ob für die unten genannte Datei Leserechte bestehen.',
  },
  'data/unwritable': {
    what: 'Causeway konnte die Änderung nicht speichern.',
    todo: 'Prüfen, ob genug Speicherplatz frei ist und Schreibrechte für die unten genannte Datei bestehen.',
  },
  'data/busy': {
    what: 'Eine andere Causeway-Instanz ist zu lange mit derselben Datei beschäftigt.',
    todo: 'Einen Moment warten oder die andere beenden, dann erneut versuchen.',
  },

  'connection/held-by-other': {
    what: 'Eine andere Causeway-Instanz, zum Beispiel der Terminalbefehl, hat den Tunnel.',
    todo: 'Zuerst dort trennen oder den Tunnel hier trennen.',
  },

  'session/ends-soon': {
    what: 'Die Anmeldung endet bald.',
    todo: 'Die Anmeldung vorher unter „Verbindung“ erneuern. Dazu im Browser noch einmal den Zugriff für Causeway erlauben.',
  },
  'session/over': {
    what: 'Die Anmeldung ist abgelaufen.',
    todo: 'Die Anmeldung erneuern: Nach der Erlaubnis im Browser wird die Verbindung wiederhergestellt.',
  },
  'clock/wrong': {
    what: 'Die Uhr dieses Computers geht falsch, daher gilt das Zertifikat hier nicht.',
    todo: 'Uhr und Zeitzone in den Systemeinstellungen einstellen, am besten automatisch, dann erneut verbinden.',
  },
}
