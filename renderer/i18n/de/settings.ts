import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: 'Einstellungen',
  general: 'Allgemein',
  language: 'Sprache',
  languageText:
    'Für alles, was Causeway schreibt, und für Texte eines Dienstes, wenn er sie in dieser Sprache hat.',
  languageSystem: 'Wie im System',
  theme: 'Erscheinungsbild',
  themeText: 'Hell oder dunkel, oder wie im System.',
  themeSystem: 'Wie im System',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  connection: 'Verbindung',
  reconnect: {
    label: 'Automatisch neu verbinden',
    text: 'Baut einen unterbrochenen Tunnel von selbst wieder auf, auch in einem anderen Netzwerk und nach dem Ruhezustand.',
  },
  killSwitch: {
    label: 'Kill-Switch',
    text: 'Blockiert den gesamten Datenverkehr, solange ein Tunnel unterbrochen ist, damit nichts an ihm vorbeigeht. Endet mit „Trennen“ oder „Datenverkehr zulassen“. Gilt ab der nächsten Verbindung.',
    missing: {
      'no-helper':
        'Dafür wird das Hilfsprogramm von Causeway gebraucht: in einem Terminal „causeway helper install“ ausführen.',
      'no-nft': 'Dafür wird nftables gebraucht, das auf diesem Computer nicht installiert ist.',
      'not-on-this-system': 'Auf diesem System hat Causeway keinen.',
    },
  },
  remoteStrategy: {
    label: 'Auswahl der Server',
    text: 'Welche Server und Ports eines Profils angefordert werden.',
    first: 'Der erste Port jeder Art',
    random: 'Ein zufälliger Port jeder Art',
    all: 'Alle',
  },
  preferTcp: {
    label: 'Nur TCP verwenden',
    text: 'Für Netzwerke, die UDP nicht durchlassen. Langsamer, und nicht möglich bei Profilen ohne TCP-Server.',
  },
  autoConnect: {
    label: 'Beim Start von Causeway verbinden',
    text: 'Stellt die Verbindung mit dem zuletzt verwendeten Profil her. Ist zuerst eine Anmeldung nötig, wird darauf hingewiesen.',
  },
  startAtLogin: {
    label: 'Bei der Anmeldung am Computer starten',
    text: 'Causeway startet im Infobereich, oder minimiert, wenn es keinen gibt.',
  },
  closeToTray: {
    label: 'Beim Schließen des Fensters weiterlaufen',
    text: 'Causeway bleibt mit der Verbindung im Infobereich, wenn der Desktop einen hat. „Beenden“ im Menü dort beendet es.',
  },
  notifications: {
    label: 'Benachrichtigungen',
    text: 'Melden, was inzwischen geschieht: Verbindung hergestellt oder unterbrochen, Ende der Anmeldung, neue Hinweise.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'Das Programm, das den Tunnel aufbaut.',
    detected: 'Wird automatisch erkannt',
    choose: 'Auswählen…',
    detect: 'Automatisch erkennen',
  },
  instances: 'Dienste',
  noInstances: 'Noch keine vorhanden. Unter „Verbindung“ einen Dienst hinzufügen.',
  remove: 'Entfernen',
  removeQuestion: '{{instance}} entfernen? Anmeldung und Schlüssel werden auf diesem Computer gelöscht.',
  removeConfirm: '{{instance}} entfernen',
  keep: 'Behalten',
  instance: instanceSettings,
  support: 'Support',
  supportText:
    'Für alle, die Hilfe leisten: Versionen, Einstellungen, was hier fehlt, und das Ende des Protokolls. Passwörter, Schlüssel, Netzwerkadressen und Ihr Name sind nicht enthalten.',
  supportCopy: 'Für den Support kopieren',
  supportCopied: 'Kopiert. In die Nachricht an den Support einfügen.',
}
