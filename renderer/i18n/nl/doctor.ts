import type { Translation } from '../translation'

export const doctor: Translation['doctor'] = {
  title: 'Controle',
  text: 'Wat Causeway van deze computer nodig heeft, en wat je kunt doen als er iets ontbreekt.',
  link: 'Deze computer controleren',
  linkText: 'Kijkt of alles er is wat Causeway nodig heeft, en zegt wat je kunt doen als er iets ontbreekt.',
  checking: 'Aan het controleren…',
  again: 'Opnieuw controleren',
  remedy: 'In een terminal:',
  summary: {
    ok: 'Alles wat Causeway nodig heeft, is er.',
    limited: 'Causeway werkt hier, maar niet helemaal.',
    missing: 'Er ontbreekt iets wat Causeway nodig heeft.',
  },
  word: {
    ok: 'In orde',
    limited: 'Beperkt',
    missing: 'Ontbreekt',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'OpenVPN-dienst',
    rights: 'Rechten',
    helper: 'Helper',
    'tun-device': 'Tunnelapparaat',
    'key-store': 'Sleutelbos',
    dns: 'DNS-servers',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} in {{path}}.',
    'openvpn-unusable': 'Er is geen OpenVPN die gebruikt kan worden.',
    'service-ready': 'De OpenVPN-dienst draait en start verbindingen voor je.',
    'service-missing':
      'De OpenVPN-dienst draait niet, dus zonder de rechten van een beheerder is er geen tunnel.',
    'service-without-powershell':
      'De OpenVPN-dienst draait, maar Windows laat Causeway PowerShell niet uitvoeren, dat een verbinding beëindigt als Causeway weg is.',
    'service-not-for-you':
      'De OpenVPN-dienst draait, maar je zit in geen van de groepen waarvoor hij meestal verbindingen start.',
    'rights-of-service': 'De OpenVPN-dienst stelt het netwerkapparaat en de routes in.',
    'rights-of-helper': 'De helper stelt het netwerkapparaat en de routes in.',
    'rights-of-process': 'Causeway mag zelf een netwerkapparaat en routes instellen.',
    'rights-need-helper': 'Causeway mag geen netwerkapparaat instellen, dus er is nog geen tunnel.',
    'rights-need-service': 'Causeway mag geen netwerkapparaat instellen, dus er is nog geen tunnel.',
    'helper-ready': '{{path}} is er en kan gebruikt worden.',
    'helper-missing':
      'De helper is niet geïnstalleerd: geen DNS-servers van een VPN, geen kill switch, en geen tunnel zonder root.',
    'helper-missing-macos':
      'De helper is niet geïnstalleerd: geen tunnel zonder root, en geen DNS-servers van een VPN.',
    'helper-not-built': 'De helper is niet geïnstalleerd en zit niet bij deze kopie van Causeway.',
    'helper-not-used':
      '{{path}} wordt niet gebruikt: anderen dan root kunnen het veranderen, of pkexec en sudo zijn er geen van beide.',
    'tun-ready': '{{path}} kan geopend worden.',
    'tun-absent': 'Er is geen {{path}}.',
    'tun-denied': 'Je mag {{path}} niet openen.',
    'key-store-ready': 'De sleutelbos is beschreven en weer gelezen.',
    'key-store-differs': 'De sleutelbos gaf iets anders terug dan erin was gezet.',
    'key-store-unusable': 'De sleutelbos kan niet gebruikt worden.',
    'dns-ready': '{{program}} is er om DNS-servers mee in te stellen.',
    'dns-missing':
      'resolvectl en resolvconf zijn er geen van beide, dus DNS-servers van een VPN kunnen niet ingesteld worden.',
    'nft-found': 'nftables is er voor de kill switch.',
    'nft-missing': 'nftables is er niet, en de kill switch heeft het nodig.',
  },
  todo: {
    'openvpn-unusable': 'Installeer OpenVPN 2.5 of nieuwer, of wijs het aan in de instellingen.',
    'service-missing':
      'Installeer OpenVPN met zijn dienst, of start de Windows-dienst "OpenVPN Interactive Service".',
    'service-without-powershell': 'Vraag de beheerder van deze computer om PowerShell voor je toe te staan.',
    'service-not-for-you':
      'Laat een beheerder je account aan de groep "OpenVPN Administrators" toevoegen en meld je daarna opnieuw aan bij Windows.',
    'rights-need-helper': 'Installeer de helper.',
    'rights-need-service':
      'Installeer OpenVPN met zijn dienst. Causeway hoeft niet als beheerder te draaien.',
    'helper-missing': 'Installeer de helper.',
    'helper-missing-macos': 'Installeer de helper.',
    'helper-not-built': 'Installeer Go en bouw en installeer daarna de helper.',
    'helper-not-used': 'Installeer pkexec (op Debian pkexec en polkitd) en daarna de helper opnieuw.',
    'tun-absent': 'Laad de kernelmodule van het apparaat.',
    'tun-denied': 'Laat iedereen het apparaat openen, zoals desktops doen.',
    'key-store-differs': 'Ontgrendel de sleutelbos, of meld je af bij deze computer en weer aan.',
    'key-store-unusable': 'Ontgrendel of start de sleutelbos van je bureaublad.',
    'dns-missing': 'Installeer systemd-resolved of resolvconf.',
    'nft-missing': 'Installeer nftables.',
  },
}
