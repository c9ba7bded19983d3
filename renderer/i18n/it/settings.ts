import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

/** The texts of the settings, in Italian. */
export const settings: Translation['settings'] = {
  title: 'Opzioni',
  general: 'Generali',
  language: 'Lingua',
  languageText:
    'Per tutti i testi di Causeway. Quelli di un servizio compaiono in questa lingua se il servizio li offre.',
  languageSystem: 'Come nel sistema',
  theme: 'Tema',
  themeText: 'Chiaro, scuro o come nel sistema.',
  themeSystem: 'Come nel sistema',
  themeLight: 'Chiaro',
  themeDark: 'Scuro',
  connection: 'Connessione',
  reconnect: {
    label: 'Riconnessione automatica',
    text: 'Ripristina un tunnel perso, anche su un’altra rete e dopo una sospensione.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Blocca tutto il traffico mentre il tunnel è caduto, così che nulla esca al di fuori. Termina quando ti disconnetti o premi «Consenti traffico». Vale dalla prossima connessione.',
    missing: {
      'no-helper':
        'Richiede il componente ausiliario di Causeway: esegui «causeway helper install» in un terminale.',
      'no-nft': 'Richiede nftables, che non è installato su questo computer.',
      'not-on-this-system': 'Causeway non lo offre su questo sistema.',
    },
  },
  remoteStrategy: {
    label: 'Server da provare',
    text: 'Quali server e porte di un profilo vengono richiesti.',
    first: 'La prima porta di ogni tipo',
    random: 'Una porta casuale di ogni tipo',
    all: 'Tutti',
  },
  preferTcp: {
    label: 'Usa solo TCP',
    text: 'Per le reti che non lasciano passare UDP. È più lento e non funziona se un profilo non ha un server TCP.',
  },
  autoConnect: {
    label: 'Connetti all’avvio di Causeway',
    text: 'Torna all’ultimo profilo usato. Se prima devi accedere, ti avvisa.',
  },
  startAtLogin: {
    label: 'Avvia quando accedi a questo computer',
    text: 'Causeway si avvia nell’area di notifica, o ridotto a icona se non c’è.',
  },
  closeToTray: {
    label: 'Resta attivo alla chiusura della finestra',
    text: 'Causeway resta nell’area di notifica con la tua connessione, se il tuo desktop ne ha una. «Esci da Causeway», nel suo menu, lo chiude.',
  },
  notifications: {
    label: 'Notifiche',
    text: 'Ti avvisano di ciò che accade mentre fai altro: connessione stabilita o persa, una sessione in scadenza, nuovi messaggi.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'Il programma che crea il tunnel.',
    detected: 'Rilevato automaticamente',
    choose: 'Scegli…',
    detect: 'Rileva automaticamente',
  },
  instances: 'Servizi VPN',
  noInstances: 'Non ce n’è ancora nessuno. Aggiungine uno in Connessione.',
  remove: 'Rimuovi',
  removeQuestion:
    'Rimuovere {{instance}}? La sua sessione e la sua chiave vengono cancellate da questo computer.',
  removeConfirm: 'Rimuovi {{instance}}',
  keep: 'Mantieni',
  instance: instanceSettings,
  support: 'Assistenza',
  supportText:
    'Per chi ti aiuta: versioni, opzioni, che cosa manca qui e la fine del log. Password, chiavi, indirizzi di rete e il tuo nome sono esclusi.',
  supportCopy: 'Copia per l’assistenza',
  supportCopied: 'Copiato. Incollalo nel messaggio per l’assistenza.',
}
