import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway kwam in een situatie waarvoor het niet gemaakt is.',
    todo: 'Probeer het opnieuw. Gebeurt het weer, meld het dan met de code hieronder.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway is onverwacht gestopt terwijl er een verbinding was of werd gemaakt.',
    todo: 'Maak opnieuw verbinding. Gebeurt het weer, stuur dan het verslag bij Instellingen, "Kopiëren voor ondersteuning", naar je organisatie.',
  },
  'usage/invalid-argument': {
    what: 'Met deze invoer kan Causeway niets doen.',
    todo: 'Controleer de invoer en probeer het opnieuw.',
  },
  'usage/unknown-instance': {
    what: 'Deze dienst staat niet meer in je lijst.',
    todo: 'Voeg hem met zijn adres opnieuw toe.',
  },
  'usage/instance-needed': {
    what: 'Het is niet duidelijk welke dienst bedoeld is.',
    todo: 'Kies er een uit je lijst, of voeg er eerst een toe.',
  },
  'usage/no-last-connection': {
    what: 'Causeway onthoudt geen laatste verbinding.',
    todo: 'Kies een profiel.',
  },
  'usage/profile-needed': {
    what: 'Het is niet duidelijk welk profiel bedoeld is.',
    todo: 'Kies er een uit de lijst.',
  },

  'http/insecure-url': {
    what: 'Dit adres is niet beveiligd.',
    todo: 'Gebruik een adres dat met https begint.',
  },
  'http/unreachable': {
    what: 'De server is niet bereikbaar.',
    todo: 'Controleer je netwerk en het adres, en probeer het opnieuw.',
  },
  'http/tls-failed': {
    what: 'Er kwam geen beveiligde verbinding met de server tot stand: zijn certificaat klopt niet.',
    todo: 'Controleer het adres en de klok van deze computer. Open in een gastnetwerk eerst een webpagina en meld je daar aan.',
  },
  'http/timed-out': {
    what: 'De server antwoordde niet op tijd.',
    todo: 'Probeer het straks opnieuw, of vanaf een ander netwerk.',
  },
  'http/too-large': {
    what: 'De server stuurde veel meer dan gevraagd was; Causeway is daarom gestopt met lezen.',
    todo: 'Controleer het adres. Klopt het, waarschuw dan de beheerders van de dienst.',
  },
  'http/private-address': {
    what: 'De dienst noemde een adres dat niet op het openbare internet ligt; Causeway heeft het niet benaderd.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'http/cancelled': {
    what: 'De aanvraag is geannuleerd.',
    todo: 'Begin opnieuw wanneer je verder wilt.',
  },

  'discovery/invalid-address': {
    what: 'Dit is geen adres van een dienst.',
    todo: 'Typ het zoals je het gekregen hebt, bijvoorbeeld vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Dit adres begint met http://, zodat iedereen onderweg kan meelezen.',
    todo: 'Gebruik het adres dat met https:// begint.',
  },
  'discovery/not-found': {
    what: 'Op dit adres is geen VPN-dienst.',
    todo: 'Vraag het adres na bij je organisatie.',
  },
  'discovery/not-json': {
    what: 'Dit adres antwoordt, maar niet zoals een VPN-dienst dat doet.',
    todo: 'Controleer het adres. Open in een gastnetwerk eerst een webpagina en meld je daar aan.',
  },
  'discovery/no-vpn-api': {
    what: 'De dienst op dit adres spreekt geen versie die Causeway verstaat.',
    todo: 'Vraag je organisatie welk programma bij de dienst past.',
  },
  'discovery/unsupported-version': {
    what: 'Deze dienst biedt alleen een versie van de VPN-API die deze versie van Causeway nog niet ondersteunt.',
    todo: 'Kijk of er een nieuwere versie van Causeway is, of vraag je organisatie welk programma bij de dienst past.',
  },
  'discovery/invalid-document': {
    what: 'De dienst beschrijft zichzelf op een manier waar Causeway niets mee kan.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'discovery/too-many-redirects': {
    what: 'Het adres verwijst eindeloos door.',
    todo: 'Controleer het adres, of waarschuw de beheerders van de dienst.',
  },
  'discovery/insecure-redirect': {
    what: 'Het adres verwijst naar een plek die niet beveiligd is; Causeway is daar niet heen gegaan.',
    todo: 'Controleer het adres, of waarschuw de beheerders van de dienst.',
  },
  'discovery/invalid-redirect': {
    what: 'Het adres verwijst naar een plek die niet bestaat.',
    todo: 'Controleer het adres, of waarschuw de beheerders van de dienst.',
  },
  'discovery/server-error': {
    what: 'De dienst heeft op dit moment zelf een storing.',
    todo: 'Probeer het straks opnieuw.',
  },

  'oauth/login-required': {
    what: 'Je bent niet meer ingelogd.',
    todo: 'Log opnieuw in om verder te gaan.',
  },
  'oauth/access-denied': {
    what: 'In de browser is de toegang geweigerd.',
    todo: 'Log opnieuw in en geef Causeway daar toestemming.',
  },
  'oauth/client-refused': {
    what: 'Deze dienst kent Causeway niet, dus niemand kan er nog mee inloggen.',
    todo: 'Vraag de beheerders van de dienst om Causeway te registreren, of voer de client-id in die je van hen hebt gekregen.',
  },
  'oauth/authorization-failed': {
    what: 'De dienst liet je niet inloggen.',
    todo: 'Probeer het opnieuw. Gebeurt het weer, waarschuw dan de beheerders van de dienst.',
  },
  'oauth/cancelled': {
    what: 'Het inloggen is geannuleerd.',
    todo: 'Log opnieuw in wanneer je verder wilt.',
  },
  'oauth/timed-out': {
    what: 'Causeway wachtte op de browser en hoorde niets.',
    todo: 'Log opnieuw in. Toont de browser een fout, waarschuw dan de beheerders van de dienst.',
  },
  'oauth/issuer-mismatch': {
    what: 'Het antwoord in de browser kwam van een andere dienst dan gevraagd; Causeway heeft het niet gebruikt.',
    todo: 'Log opnieuw in. Gebeurt het weer, waarschuw dan de beheerders van de dienst.',
  },
  'oauth/invalid-callback': {
    what: 'De browser kwam terug zonder wat Causeway nodig heeft.',
    todo: 'Log opnieuw in.',
  },
  'oauth/code-refused': {
    what: 'De dienst trok de toestemming in die hij net gegeven had.',
    todo: 'Log opnieuw in.',
  },
  'oauth/invalid-token-response': {
    what: 'De dienst beantwoordde het inloggen op een manier waar Causeway niets mee kan.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'oauth/server-error': {
    what: 'Het inloggen bij de dienst heeft op dit moment een storing.',
    todo: 'Probeer het straks opnieuw. Je blijft ingelogd.',
  },
  'oauth/browser-not-opened': {
    what: 'Je browser ging niet open.',
    todo: 'Stel in je systeem een standaardbrowser in en probeer het opnieuw.',
  },

  'vpn-api/refused': {
    what: 'De dienst weigerde de aanvraag.',
    todo: 'Probeer het opnieuw. Gebeurt het weer, waarschuw dan de beheerders van de dienst.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Dit profiel bestaat niet meer, of is niet voor jou bedoeld.',
    todo: 'Kies een ander profiel, of vraag je organisatie erom.',
  },
  'vpn-api/server-error': {
    what: 'De dienst heeft op dit moment zelf een storing.',
    todo: 'Probeer het straks opnieuw.',
  },
  'vpn-api/invalid-response': {
    what: 'De dienst antwoordde op een manier waar Causeway niets mee kan.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },

  'certificate/none': {
    what: 'Op deze computer is nog geen certificaat van deze dienst.',
    todo: 'Maak een keer verbinding, dan haalt Causeway er een.',
  },
  'certificate/invalid': {
    what: 'De dienst gaf je een certificaat dat niet werkt.',
    todo: 'Probeer het opnieuw. Gebeurt het weer, waarschuw dan de beheerders van de dienst.',
  },
  'certificate/clock-mismatch': {
    what: 'Volgens de klok van deze computer is je certificaat nog niet geldig: de klokken zijn het niet eens.',
    todo: 'Zet de klok en tijdzone van deze computer goed en maak opnieuw verbinding.',
  },
  'certificate/refused': {
    what: 'De dienst aanvaardt je certificaat niet en geeft je geen ander.',
    todo: 'Vraag je organisatie of je account nog actief is.',
  },

  'secret-store/unavailable': {
    what: 'Deze computer heeft geen sleutelbos waarin je login bewaard kan worden.',
    todo: 'Stel een sleutelbos zoals GNOME Keyring of KWallet in en start Causeway opnieuw.',
  },
  'secret-store/locked': {
    what: 'De sleutelbos van deze computer is vergrendeld.',
    todo: 'Ontgrendel hem en probeer het opnieuw.',
  },
  'secret-store/in-file': {
    what: 'Je logins staan in een bestand, niet in een sleutelbos. Wie je bestanden kan lezen, kan ze gebruiken.',
    todo: 'Start Causeway zonder de optie secret-store zodra deze computer een sleutelbos heeft.',
  },
  'secret-store/failed': {
    what: 'De sleutelbos van deze computer deed niet wat gevraagd werd.',
    todo: 'Probeer het opnieuw. Gebeurt het weer, meld je dan opnieuw aan op je computer.',
  },

  'profile-configuration/malformed': {
    what: 'Het profiel is beschadigd of onvolledig; Causeway gebruikt het niet.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'Het profiel vraagt om iets dat deze computer kan schaden; Causeway gebruikt het niet.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'profile-configuration/invalid-argument': {
    what: 'Het profiel bevat een waarde die Causeway niet doorgeeft.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'profile-configuration/incomplete': {
    what: 'In het profiel ontbreekt iets dat een tunnel nodig heeft.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Je geeft de voorkeur aan TCP, en dit profiel heeft geen server die dat spreekt.',
    todo: 'Zet de voorkeur voor TCP uit, of kies een ander profiel.',
  },

  'openvpn/not-found': {
    what: 'OpenVPN is op deze computer niet gevonden.',
    todo: 'Installeer OpenVPN 2.5 of nieuwer, of verbeter het pad waar Causeway ernaar zoekt, en maak dan opnieuw verbinding.',
  },
  'openvpn/too-old': {
    what: 'OpenVPN is op deze computer te oud.',
    todo: 'Werk het bij en maak opnieuw verbinding.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway mag op deze computer geen tunnel opzetten.',
    todo: 'Sta het toe wanneer je systeem het vraagt, of vraag degene die deze computer beheert.',
  },
  'openvpn/certificate-rejected': {
    what: 'De server wees je certificaat af, en een nieuw ook.',
    todo: 'Log uit en weer in. Gebeurt het weer, vraag het dan je organisatie.',
  },
  'openvpn/authentication-failed': {
    what: 'De server liet je niet binnen.',
    todo: 'Vraag je organisatie of je dit profiel mag gebruiken.',
  },
  'openvpn/server-not-verified': {
    what: 'De server kon niet tonen dat hij de juiste is; Causeway is gestopt.',
    todo: 'Probeer een ander netwerk. Gebeurt het weer, waarschuw dan de beheerders van de dienst.',
  },
  'openvpn/unreachable': {
    what: 'Geen server van dit profiel antwoordde.',
    todo: 'Controleer je netwerk. Sommige netwerken blokkeren VPN’s: probeer een ander.',
  },
  'openvpn/name-not-resolved': {
    what: 'De naam van de VPN-server kon niet worden opgezocht.',
    todo: 'Controleer je netwerk en probeer het opnieuw.',
  },
  'openvpn/halted-by-server': {
    what: 'De server beëindigde de tunnel.',
    todo: 'Lees de berichten van de dienst en maak later opnieuw verbinding.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN kan met dit profiel niet werken.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'openvpn/timed-out': {
    what: 'De tunnel kwam niet op tijd tot stand.',
    todo: 'Probeer het opnieuw, of probeer een ander netwerk.',
  },
  'network/captive-portal': {
    what: 'Dit netwerk laat je pas naar buiten nadat je je hebt aangemeld.',
    todo: 'Open een webpagina in je browser, meld je aan en maak daarna opnieuw verbinding.',
  },
  'connection/lost': {
    what: 'De tunnel viel weg, en opnieuw verbinden staat uit.',
    todo: 'Maak opnieuw verbinding, of zet opnieuw verbinden aan in de instellingen.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN stopte uit zichzelf.',
    todo: 'Maak opnieuw verbinding. Gebeurt het weer, meld het dan met de code hieronder.',
  },

  'helper/not-installed': {
    what: 'De helper van Causeway is niet geïnstalleerd, en zonder helper mag Causeway geen netwerkapparaat instellen.',
    todo: 'Installeer hem met "causeway helper install".',
  },
  'helper/dismissed': {
    what: 'De vraag of Causeway de verbinding mag maken, is weggeklikt.',
    todo: 'Maak opnieuw verbinding en beantwoord de vraag.',
  },
  'helper/not-authorized': {
    what: 'Deze computer staat niet toe dat je een verbinding maakt.',
    todo: 'Vraag de beheerder van de computer, of maak verbinding vanuit de bureaubladsessie, waar om een wachtwoord gevraagd kan worden.',
  },
  'helper/refused': {
    what: 'De helper van Causeway weigerde de configuratie van deze verbinding.',
    todo: 'Vraag de beheerder van deze dienst het profiel te verbeteren, of installeer de helper van deze versie opnieuw.',
  },
  'helper/failed': {
    what: 'De helper van Causeway kon zijn werk niet doen.',
    todo: 'Voer "causeway doctor" uit.',
  },
  'helper/needed-for-kill-switch': {
    what: 'De kill switch heeft de helper van Causeway nodig, en die is niet geïnstalleerd.',
    todo: 'Installeer hem met: causeway helper install. Of zet de kill switch uit onder Instellingen.',
  },
  'helper/kill-switch-failed': {
    what: 'De kill switch kon niet worden ingesteld, dus Causeway heeft geen verbinding gemaakt.',
    todo: 'Installeer nftables, of zet de kill switch uit onder Instellingen.',
  },
  'helper/traffic-blocked': {
    what: 'De kill switch houdt al het verkeer tegen.',
    todo: 'Hef hem op met "causeway connect --release" en maak daarna opnieuw verbinding.',
  },
  'helper/dns-not-set': {
    what: 'De DNS-servers van deze VPN konden niet worden ingesteld; namen worden nog buiten de VPN om opgezocht.',
    todo: 'Installeer systemd-resolved of resolvconf en maak opnieuw verbinding.',
  },
  'helper/repaired': {
    what: 'Een verbinding was geëindigd zonder op te ruimen.',
    todo: 'Wat ze achterliet, is nu weg. Je hoeft niets te doen.',
  },
  'helper/service-missing': {
    what: 'De OpenVPN-dienst draait niet op deze computer, en zonder die dienst mag Causeway geen verbinding maken.',
    todo: 'Installeer OpenVPN met zijn dienst, of start de Windows-dienst "OpenVPN Interactive Service".',
  },
  'helper/service-refused': {
    what: 'De OpenVPN-dienst van deze computer start geen verbindingen voor jou.',
    todo: 'Vraag een beheerder je account toe te voegen aan de groep "OpenVPN Administrators", en meld je dan opnieuw aan bij Windows.',
  },
  'helper/powershell-refused': {
    what: 'Windows laat Causeway PowerShell niet starten, dat de verbinding zou beëindigen als Causeway er niet meer is.',
    todo: 'Vraag de beheerder van deze computer om PowerShell voor jou toe te staan.',
  },
  'helper/kill-switch-not-offered': {
    what: 'Op dit systeem is er nog geen kill switch.',
    todo: 'Zet de kill switch uit onder Instellingen en maak opnieuw verbinding.',
  },

  'attachments/refused': {
    what: 'De bijlagendienst weigerde de aanvraag.',
    todo: 'Vraag je organisatie of je die dienst mag gebruiken.',
  },
  'attachments/unavailable': {
    what: 'De bijlagendienst kan nu niet antwoorden.',
    todo: 'Wacht even en probeer het dan opnieuw.',
  },
  'attachments/unreadable': {
    what: 'Sommige bijlagen zijn onleesbaar en worden niet getoond.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'attachments/not-offered': {
    what: 'Deze dienst biedt geen bijlagen.',
    todo: 'Kies een andere dienst, of vraag de beheerders naar het adres en vul het in bij Instellingen.',
  },
  'attachments/invalid-response': {
    what: 'De bijlagendienst antwoordde op een manier waar Causeway niets mee kan.',
    todo: 'Waarschuw de beheerders van de dienst.',
  },
  'attachments/invalid-request': {
    what: 'De bijlagendienst is niet gevraagd, want de aanvraag is niet volledig.',
    todo: 'Controleer wat er is ingevuld.',
  },
  'attachments/forbidden': {
    what: 'De bijlagendienst staat dit niet toe.',
    todo: 'Controleer bij Instellingen wie je bent voor deze dienst, of vraag je organisatie om de rol.',
  },
  'attachments/not-found': {
    what: 'Deze bijlage is er niet, of het bestand is nog niet aangekomen.',
    todo: 'Ververs de lijst, of wacht tot het uploaden klaar is.',
  },
  'attachments/not-a-file': {
    what: 'Deze bijlage is een link, geen bestand.',
    todo: 'Open in plaats daarvan de link.',
  },
  'attachments/extension-needed': {
    what: 'De naam van dit bestand heeft geen extensie, zoals .pdf, en die heeft de dienst nodig.',
    todo: 'Geef het bestand een naam die daarop eindigt.',
  },
  'attachments/file-unreadable': {
    what: 'Dit bestand kan niet worden gelezen.',
    todo: 'Controleer of het er is, een bestand is, en of je het mag lezen.',
  },
  'attachments/file-changed': {
    what: 'Het bestand veranderde tijdens het uploaden.',
    todo: 'Wacht tot niets er meer naar schrijft, en upload het opnieuw.',
  },
  'attachments/file-exists': {
    what: 'Er is al een bestand met deze naam.',
    todo: 'Kies een andere naam, of sta toe dat het wordt vervangen.',
  },
  'attachments/file-unwritable': {
    what: 'Het bestand kan daar niet worden opgeslagen.',
    todo: 'Controleer of er ruimte op de schijf is en of je in de map mag schrijven.',
  },
  'attachments/file-missing': {
    what: 'De dienst heeft het bestand van deze bijlage niet meer.',
    todo: 'Vraag de auteur het opnieuw te uploaden.',
  },
  'attachments/storage-refused': {
    what: 'De opslag van de bijlagendienst weigerde het bestand.',
    todo: 'Probeer het later opnieuw, of waarschuw de beheerders van de dienst.',
  },
  'attachments/not-opened': {
    what: 'Het bestand kon niet worden geopend.',
    todo: 'Open het vanuit zijn map, met een programma naar keuze.',
  },
  'attachments/unsafe-link': {
    what: 'Deze link opent Causeway niet.',
    todo: 'Vraag de auteur om een adres dat met https:// begint.',
  },

  'content/not-offered': {
    what: 'Deze dienst biedt geen nieuws.',
    todo: 'Kies een andere dienst, of vraag de beheerders naar het adres en vul het in bij Instellingen.',
  },

  'organizations/not-offered': {
    what: 'Deze dienst biedt geen organisaties.',
    todo: 'Kies een andere dienst, of vraag de beheerders naar het adres en vul het in bij Instellingen.',
  },
  'organizations/invalid-request': {
    what: 'Dit kan zo niet naar de organisatiedienst.',
    todo: 'Controleer wat je typte: er ontbreekt iets, het is te lang, of er staan tekens in die er niet horen.',
  },
  'organizations/unauthorized': {
    what: 'De organisatiedienst wil weten wie je bent.',
    todo: 'Vul het token in dat je ervoor hebt, of de gebruikersnaam en het wachtwoord.',
  },
  'organizations/forbidden': {
    what: 'Je mag deze organisatie bekijken, maar niet veranderen.',
    todo: 'Vraag een van de beheerders het te doen, of jou beheerder te maken.',
  },
  'organizations/not-found': {
    what: 'Deze organisatie is er niet, of niet meer.',
    todo: 'Controleer het nummer of de naam, of kies een andere.',
  },
  'organizations/user-not-found': {
    what: 'Deze gebruiker is er niet, of niet meer.',
    todo: 'Controleer de spelling en ververs de lijst.',
  },
  'organizations/name-taken': {
    what: 'Een andere organisatie heeft deze naam al.',
    todo: 'Kies een andere naam.',
  },
  'organizations/already-member': {
    what: 'Deze gebruiker is al lid.',
    todo: 'Zoek de gebruiker in de lijst om de rol te veranderen.',
  },
  'organizations/last-administrator': {
    what: 'Een organisatie heeft een beheerder nodig, en dit is de laatste.',
    todo: 'Maak eerst iemand anders beheerder.',
  },
  'organizations/refused': {
    what: 'De organisatiedienst heeft het niet gedaan.',
    todo: 'Probeer het later opnieuw, of vraag het de beheerders.',
  },
  'organizations/invalid-response': {
    what: 'De organisatiedienst antwoordde op een manier waar Causeway niets mee kan.',
    todo: 'Waarschuw de beheerders van de dienst. Heb je iets veranderd, ververs dan om te zien of het gelukt is.',
  },

  'content/invalid-request': {
    what: 'De nieuwsdienst neemt deze invoer niet aan.',
    todo: 'Controleer de invoer en probeer het opnieuw.',
  },
  'content/refused': {
    what: 'De nieuwsdienst weigerde de aanvraag.',
    todo: 'Vraag je organisatie of je die dienst mag gebruiken.',
  },
  'content/not-found': {
    what: 'De nieuwsdienst heeft daar niets, of niet meer.',
    todo: 'Ga terug naar de lijst en ververs die, of controleer het adres.',
  },
  'content/unavailable': {
    what: 'De nieuwsdienst kan nu niet antwoorden.',
    todo: 'Wacht even en probeer het dan opnieuw.',
  },
  'content/invalid-response': {
    what: 'De nieuwsdienst antwoordde op een manier waar Causeway niets mee kan.',
    todo: 'Probeer het later opnieuw. Blijft het zo, waarschuw dan de beheerders van de dienst.',
  },

  'settings/unknown': {
    what: 'Die instelling bestaat niet.',
    todo: 'Kies er een van de getoonde.',
  },
  'settings/invalid-value': {
    what: 'Die waarde past niet bij deze instelling.',
    todo: 'Kies een andere.',
  },
  'start-at-login/window-only': {
    what: 'De terminalopdracht kan dit hier niet aanzetten.',
    todo: 'Zet het aan in de instellingen van het venster.',
  },
  'start-at-login/refused': {
    what: 'Het systeem heeft dit niet overgenomen.',
    todo: 'Zoek Causeway bij de inlogonderdelen in de instellingen van je systeem, en sta het daar toe.',
  },
  'data/damaged': {
    what: 'Een bestand van Causeway was beschadigd, en Causeway ging zonder verder.',
    todo: 'Het is opzijgezet en er is niets van gewist. Controleer je instellingen en je lijst van diensten.',
  },
  'data/unreadable': {
    what: 'Een bestand van Causeway kon niet worden gelezen.',
    todo: 'Controleer of je het bestand hieronder mag lezen.',
  },
  'data/unwritable': {
    what: 'Causeway kon je wijziging niet opslaan.',
    todo: 'Controleer of er ruimte op de schijf is en of je naar het bestand hieronder mag schrijven.',
  },
  'data/busy': {
    what: 'Een andere Causeway is te lang met hetzelfde bestand bezig.',
    todo: 'Wacht even, of sluit de andere af, en probeer het dan opnieuw.',
  },

  'connection/held-by-other': {
    what: 'Een andere Causeway van jou, zoals de terminalopdracht, heeft de tunnel.',
    todo: 'Verbreek de verbinding eerst daar, of verbreek die hier.',
  },

  'session/ends-soon': {
    what: 'Je login verloopt bijna.',
    todo: 'Vernieuw hem vóór die tijd onder Verbinding. Je geeft Causeway dan nog eens toestemming in je browser.',
  },
  'session/over': {
    what: 'Je login is verlopen.',
    todo: 'Vernieuw hem: je geeft Causeway toestemming in je browser en bent daarna weer verbonden.',
  },
  'clock/wrong': {
    what: 'De klok van deze computer staat verkeerd, en daarom geldt je certificaat hier niet.',
    todo: 'Stel klok en tijdzone in bij de instellingen van je systeem, het liefst automatisch, en maak opnieuw verbinding.',
  },
}
