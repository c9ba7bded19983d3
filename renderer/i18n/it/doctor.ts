import type { Translation } from '../translation'

/** The texts of the view of what Causeway needs of the computer, in Italian. */
export const doctor: Translation['doctor'] = {
  title: 'Diagnosi',
  text: 'Che cosa serve a Causeway su questo computer, e che cosa fare se manca qualcosa.',
  link: 'Controlla questo computer',
  linkText: 'Cerca tutto ciò che serve a Causeway e indica che cosa fare se manca qualcosa.',
  checking: 'Controllo in corso…',
  again: 'Controlla di nuovo',
  remedy: 'In un terminale:',
  summary: {
    ok: 'C’è tutto ciò che serve a Causeway.',
    limited: 'Causeway qui funziona, ma non del tutto.',
    missing: 'Manca qualcosa che serve a Causeway.',
  },
  word: {
    ok: 'A posto',
    limited: 'Limitato',
    missing: 'Mancante',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'Servizio di OpenVPN',
    rights: 'Permessi',
    helper: 'Componente ausiliario',
    'tun-device': 'Dispositivo del tunnel',
    'key-store': 'Portachiavi',
    dns: 'Server DNS',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} in {{path}}.',
    'openvpn-unusable': 'Non c’è alcun OpenVPN utilizzabile.',
    'service-ready': 'Il servizio di OpenVPN è in esecuzione e avvia connessioni per te.',
    'service-missing':
      'Il servizio di OpenVPN non è in esecuzione, quindi non c’è tunnel senza permessi di amministratore.',
    'service-without-powershell':
      'Il servizio di OpenVPN è in esecuzione, ma Windows non lascia che Causeway esegua PowerShell, che chiude una connessione se Causeway non c’è più.',
    'service-not-for-you':
      'Il servizio di OpenVPN è in esecuzione, ma il tuo account non fa parte di nessuno dei gruppi per cui di solito avvia connessioni.',
    'rights-of-service': 'Il servizio di OpenVPN configura il dispositivo di rete e le rotte.',
    'rights-of-helper': 'Il componente ausiliario configura il dispositivo di rete e le rotte.',
    'rights-of-process': 'Causeway può configurare da solo un dispositivo di rete e le rotte.',
    'rights-need-helper': 'Causeway non può creare un dispositivo di rete, quindi non c’è ancora un tunnel.',
    'rights-need-service': 'Causeway non può creare un dispositivo di rete, quindi non c’è ancora un tunnel.',
    'helper-ready': '{{path}} c’è e si può usare.',
    'helper-missing':
      'Il componente ausiliario non è installato: niente server DNS di una VPN, niente kill switch e niente tunnel senza root.',
    'helper-missing-macos':
      'Il componente ausiliario non è installato: niente tunnel senza root e niente server DNS di una VPN.',
    'helper-not-built':
      'Il componente ausiliario non è installato e questa copia di Causeway non lo include.',
    'helper-not-used':
      '{{path}} non viene usato: potrebbe modificarlo chi non è root, oppure non ci sono né pkexec né sudo.',
    'tun-ready': '{{path}} si può aprire.',
    'tun-absent': 'Non esiste {{path}}.',
    'tun-denied': 'Non hai il permesso di aprire {{path}}.',
    'key-store-ready': 'La scrittura nel portachiavi e la rilettura sono riuscite.',
    'key-store-differs': 'Il portachiavi ha restituito qualcosa di diverso da ciò che era stato scritto.',
    'key-store-unusable': 'Il portachiavi non è utilizzabile.',
    'dns-ready': 'C’è {{program}} per impostare i server DNS.',
    'dns-missing':
      'Non ci sono né resolvectl né resolvconf, quindi non si possono impostare i server DNS di una VPN.',
    'nft-found': 'C’è nftables per il kill switch.',
    'nft-missing': 'Non c’è nftables, che serve al kill switch.',
  },
  todo: {
    'openvpn-unusable': 'Installa OpenVPN 2.5 o versione successiva, oppure indicalo in Opzioni.',
    'service-missing':
      'Installa OpenVPN con il suo servizio, oppure avvia il servizio di Windows «OpenVPN Interactive Service».',
    'service-without-powershell': 'Chiedi all’amministratore di questo computer di consentirti PowerShell.',
    'service-not-for-you':
      'Chiedi a un amministratore di aggiungere il tuo account al gruppo «OpenVPN Administrators», poi accedi di nuovo a Windows.',
    'rights-need-helper': 'Installa il componente ausiliario.',
    'rights-need-service':
      'Installa OpenVPN con il suo servizio. Non serve eseguire Causeway come amministratore.',
    'helper-missing': 'Installa il componente ausiliario.',
    'helper-missing-macos': 'Installa il componente ausiliario.',
    'helper-not-built': 'Installa Go, poi compila e installa il componente ausiliario.',
    'helper-not-used':
      'Installa pkexec (su Debian pkexec e polkitd), poi installa di nuovo il componente ausiliario.',
    'tun-absent': 'Carica il modulo del kernel del dispositivo.',
    'tun-denied': 'Consenti a tutti di aprire il dispositivo, come fanno i desktop.',
    'key-store-differs':
      'Sblocca il portachiavi, oppure termina la sessione di questo computer e accedi di nuovo.',
    'key-store-unusable': 'Sblocca o avvia il portachiavi del tuo desktop.',
    'dns-missing': 'Installa systemd-resolved o resolvconf.',
    'nft-missing': 'Installa nftables.',
  },
}
