import type { Translation } from '../translation'

/** The texts of the doctor. */
export const doctor: Translation['doctor'] = {
  title: 'Diagnose',
  text: 'Was Causeway von diesem Computer braucht und was zu tun ist, wo etwas fehlt.',
  link: 'Diesen Computer prüfen',
  linkText: 'Prüft, ob alles da ist, was Causeway braucht, und sagt, was zu tun ist, wo etwas fehlt.',
  checking: 'Wird geprüft…',
  again: 'Erneut prüfen',
  remedy: 'In einem Terminal:',
  summary: {
    ok: 'Alles, was Causeway braucht, ist vorhanden.',
    limited: 'Causeway funktioniert hier, aber nicht vollständig.',
    missing: 'Etwas, das Causeway braucht, fehlt.',
  },
  word: {
    ok: 'In Ordnung',
    limited: 'Eingeschränkt',
    missing: 'Fehlt',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'OpenVPN-Dienst',
    rights: 'Rechte',
    helper: 'Hilfsprogramm',
    'tun-device': 'Tunnelgerät',
    'key-store': 'Schlüsselbund',
    dns: 'DNS-Server',
    'kill-switch': 'Kill-Switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} unter {{path}}.',
    'openvpn-unusable': 'Es gibt kein verwendbares OpenVPN.',
    'service-ready': 'Der OpenVPN-Dienst läuft und startet Verbindungen für Sie.',
    'service-missing':
      'Der OpenVPN-Dienst läuft nicht, daher gibt es ohne Administratorrechte keinen Tunnel.',
    'service-without-powershell':
      'Der OpenVPN-Dienst läuft, aber Windows lässt Causeway PowerShell nicht ausführen, das eine Verbindung beendet, falls Causeway nicht mehr läuft.',
    'service-not-for-you':
      'Der OpenVPN-Dienst läuft, aber Ihr Konto ist in keiner der Gruppen, für die er gewöhnlich Verbindungen startet.',
    'rights-of-service': 'Der OpenVPN-Dienst richtet Netzwerkgerät und Routen ein.',
    'rights-of-helper': 'Das Hilfsprogramm richtet Netzwerkgerät und Routen ein.',
    'rights-of-process': 'Causeway darf Netzwerkgerät und Routen selbst einrichten.',
    'rights-need-helper': 'Causeway darf kein Netzwerkgerät einrichten, daher gibt es noch keinen Tunnel.',
    'rights-need-service': 'Causeway darf kein Netzwerkgerät einrichten, daher gibt es noch keinen Tunnel.',
    'helper-ready': '{{path}} ist vorhanden und verwendbar.',
    'helper-missing':
      'Das Hilfsprogramm ist nicht installiert: keine DNS-Server eines VPNs, kein Kill-Switch und ohne root kein Tunnel.',
    'helper-missing-macos':
      'Das Hilfsprogramm ist nicht installiert: ohne root kein Tunnel und keine DNS-Server eines VPNs.',
    'helper-not-built':
      'Das Hilfsprogramm ist nicht installiert und in dieser Kopie von Causeway nicht enthalten.',
    'helper-not-used':
      '{{path}} wird nicht verwendet: Nicht nur root könnte es ändern, oder weder pkexec noch sudo ist vorhanden.',
    'tun-ready': '{{path}} kann geöffnet werden.',
    'tun-absent': '{{path}} ist nicht vorhanden.',
    'tun-denied': '{{path}} darf nicht geöffnet werden.',
    'key-store-ready': 'Der Schlüsselbund wurde beschrieben und wieder gelesen.',
    'key-store-differs': 'Der Schlüsselbund hat etwas anderes zurückgegeben, als geschrieben wurde.',
    'key-store-unusable': 'Der Schlüsselbund ist nicht verwendbar.',
    'dns-ready': '{{program}} ist vorhanden, um DNS-Server einzustellen.',
    'dns-missing':
      'Weder resolvectl noch resolvconf ist vorhanden, daher können die DNS-Server eines VPNs nicht eingestellt werden.',
    'nft-found': 'Für den Kill-Switch ist nftables vorhanden.',
    'nft-missing': 'Für den Kill-Switch fehlt nftables.',
  },
  todo: {
    'openvpn-unusable': 'OpenVPN 2.5 oder neuer installieren oder in den Einstellungen angeben.',
    'service-missing':
      'OpenVPN mit seinem Dienst installieren oder den Windows-Dienst „OpenVPN Interactive Service“ starten.',
    'service-without-powershell':
      'Den Administrator dieses Computers bitten, PowerShell für Ihr Konto zu erlauben.',
    'service-not-for-you':
      'Einen Administrator bitten, Ihr Konto zur Gruppe „OpenVPN Administrators“ hinzuzufügen, dann neu bei Windows anmelden.',
    'rights-need-helper': 'Das Hilfsprogramm installieren.',
    'rights-need-service':
      'OpenVPN mit seinem Dienst installieren. Causeway muss nicht als Administrator laufen.',
    'helper-missing': 'Das Hilfsprogramm installieren.',
    'helper-missing-macos': 'Das Hilfsprogramm installieren.',
    'helper-not-built': 'Go installieren, dann das Hilfsprogramm bauen und installieren.',
    'helper-not-used':
      'Zuerst pkexec installieren (unter Debian pkexec und polkitd), dann das Hilfsprogramm neu.',
    'tun-absent': 'Das Kernelmodul des Geräts laden.',
    'tun-denied': 'Das Gerät für alle freigeben, wie auf Desktops üblich.',
    'key-store-differs': 'Den Schlüsselbund entsperren oder am Computer ab- und wieder anmelden.',
    'key-store-unusable': 'Den Schlüsselbund des Desktops entsperren oder starten.',
    'dns-missing': 'Das Programm systemd-resolved oder resolvconf installieren.',
    'nft-missing': 'Das Programm nftables installieren.',
  },
}
