import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: 'Instellingen',
  general: 'Algemeen',
  language: 'Taal',
  languageText: 'Van alles wat Causeway schrijft. Teksten van een dienst komen erin als de dienst ze heeft.',
  languageSystem: 'Zoals in het systeem',
  theme: 'Thema',
  themeText: 'Licht of donker, of zoals je systeem het doet.',
  themeSystem: 'Zoals in het systeem',
  themeLight: 'Licht',
  themeDark: 'Donker',
  connection: 'Verbinding',
  reconnect: {
    label: 'Opnieuw verbinden',
    text: 'Zet een verloren tunnel vanzelf weer op, ook op een ander netwerk en na de slaapstand.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Houdt alle verkeer tegen zolang een tunnel weg is, zodat er niets buitenom gaat. Eindigt als je de verbinding verbreekt of op "Verkeer toestaan" drukt. Geldt vanaf de volgende verbinding.',
    missing: {
      'no-helper':
        'Daarvoor is de helper van Causeway nodig: voer "causeway helper install" uit in een terminal.',
      'no-nft': 'Daarvoor is nftables nodig, en dat is niet op deze computer geïnstalleerd.',
      'not-on-this-system': 'Op dit systeem heeft Causeway er geen.',
    },
  },
  remoteStrategy: {
    label: 'Te proberen servers',
    text: 'Welke servers en poorten van een profiel worden opgevraagd.',
    first: 'De eerste poort van elke soort',
    random: 'Een willekeurige poort van elke soort',
    all: 'Allemaal',
  },
  preferTcp: {
    label: 'Alleen TCP gebruiken',
    text: 'Voor netwerken die geen UDP doorlaten. Het is trager, en werkt niet als een profiel geen TCP-server heeft.',
  },
  autoConnect: {
    label: 'Verbinden als Causeway start',
    text: 'Gaat terug naar het profiel dat je het laatst gebruikte. Moet je eerst inloggen, dan zegt Causeway dat.',
  },
  startAtLogin: {
    label: 'Starten als je je bij deze computer aanmeldt',
    text: 'Causeway start in het systeemvak, of geminimaliseerd als er geen is.',
  },
  closeToTray: {
    label: 'Actief blijven als het venster sluit',
    text: 'Causeway blijft met je verbinding in het systeemvak, als je bureaublad er een heeft. "Afsluiten" in het menu daar beëindigt het.',
  },
  notifications: {
    label: 'Meldingen',
    text: 'Vertellen wat er gebeurt terwijl je iets anders doet: verbonden, verbroken, een login die verloopt, nieuwe berichten.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'Het programma dat de tunnel maakt.',
    detected: 'Wordt automatisch gevonden',
    choose: 'Kiezen…',
    detect: 'Automatisch zoeken',
  },
  instances: 'Diensten',
  noInstances: 'Er is er nog geen. Voeg er onder Verbinding een toe.',
  remove: 'Verwijderen',
  removeQuestion: '{{instance}} verwijderen? De login en de sleutel worden op deze computer vergeten.',
  removeConfirm: '{{instance}} verwijderen',
  keep: 'Behouden',
  instance: instanceSettings,
  support: 'Ondersteuning',
  supportText:
    'Voor wie je helpt: versies, instellingen, wat hier ontbreekt en het einde van het logboek. Wachtwoorden, sleutels, netwerkadressen en je naam zijn weggelaten.',
  supportCopy: 'Kopiëren voor ondersteuning',
  supportCopied: 'Gekopieerd. Plak het in je bericht aan hen.',
}
