import type { ErrorTexts } from '../error-texts'

/** For every error, what happened and what to do, in Italian. */
export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway ha incontrato una situazione per cui non è stato preparato.',
    todo: 'Riprova. Se succede di nuovo, segnalalo con il codice qui sotto.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway si è chiuso in modo imprevisto mentre era connesso o si stava connettendo.',
    todo: 'Connettiti di nuovo. Se succede ancora, invia alla tua organizzazione il rapporto in Opzioni, «Copia per l’assistenza».',
  },
  'usage/invalid-argument': {
    what: 'Causeway non può usare quanto è stato inserito.',
    todo: 'Controllalo e riprova.',
  },
  'usage/unknown-instance': {
    what: 'Questo servizio non è più nel tuo elenco.',
    todo: 'Aggiungilo di nuovo con il suo indirizzo.',
  },
  'usage/instance-needed': {
    what: 'Non è chiaro di quale servizio si tratti.',
    todo: 'Scegline uno dal tuo elenco, o prima aggiungine uno.',
  },
  'usage/no-last-connection': {
    what: 'Causeway non ricorda alcuna connessione precedente.',
    todo: 'Scegli un profilo.',
  },
  'usage/profile-needed': {
    what: 'Non è chiaro di quale profilo si tratti.',
    todo: 'Scegline uno dall’elenco.',
  },

  'http/insecure-url': {
    what: 'L’indirizzo non è sicuro.',
    todo: 'Usa un indirizzo che inizi con https.',
  },
  'http/unreachable': {
    what: 'Non è stato possibile raggiungere il server.',
    todo: 'Controlla la rete e l’indirizzo, poi riprova.',
  },
  'http/tls-failed': {
    what: 'Non è stato possibile stabilire una connessione sicura con il server: il suo certificato non è valido.',
    todo: 'Controlla l’indirizzo e l’orologio di questo computer. In una rete per ospiti, apri prima una pagina web ed effettua lì l’accesso.',
  },
  'http/timed-out': {
    what: 'Il server non ha risposto in tempo.',
    todo: 'Riprova tra un po’ o da un’altra rete.',
  },
  'http/too-large': {
    what: 'Il server ha inviato molto più di quanto richiesto, quindi Causeway ha smesso di leggere.',
    todo: 'Controlla l’indirizzo. Se è corretto, avvisa chi gestisce il servizio.',
  },
  'http/private-address': {
    what: 'Il servizio ha indicato un indirizzo che non è sulla rete internet pubblica, quindi Causeway non lo ha contattato.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'http/cancelled': {
    what: 'La richiesta è stata annullata.',
    todo: 'Ricomincia quando vuoi continuare.',
  },

  'discovery/invalid-address': {
    what: 'Questo non è l’indirizzo di un servizio.',
    todo: 'Scrivilo come ti è stato dato, ad esempio vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Questo indirizzo inizia con http://, quindi lungo il percorso chiunque potrebbe leggere le comunicazioni.',
    todo: 'Usa l’indirizzo che inizia con https://.',
  },
  'discovery/not-found': {
    what: 'A questo indirizzo non c’è alcun servizio VPN.',
    todo: 'Verifica l’indirizzo con la tua organizzazione.',
  },
  'discovery/not-json': {
    what: 'Questo indirizzo risponde, ma non come un servizio VPN.',
    todo: 'Controlla l’indirizzo. In una rete per ospiti, apri prima una pagina web ed effettua lì l’accesso.',
  },
  'discovery/no-vpn-api': {
    what: 'Il servizio a questo indirizzo non usa una versione che Causeway capisce.',
    todo: 'Chiedi alla tua organizzazione quale applicazione è adatta al suo servizio.',
  },
  'discovery/unsupported-version': {
    what: 'Questo servizio offre solo una versione dell’API VPN che questa versione di Causeway non supporta ancora.',
    todo: 'Controlla se c’è una versione più recente di Causeway o chiedi alla tua organizzazione quale applicazione è adatta al suo servizio.',
  },
  'discovery/invalid-document': {
    what: 'Il servizio si descrive in un modo che Causeway non può usare.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'discovery/too-many-redirects': {
    what: 'L’indirizzo rimanda da un punto all’altro senza fine.',
    todo: 'Controlla l’indirizzo o avvisa chi gestisce il servizio.',
  },
  'discovery/insecure-redirect': {
    what: 'L’indirizzo porta a un punto che non è sicuro, quindi Causeway non ha proseguito.',
    todo: 'Controlla l’indirizzo o avvisa chi gestisce il servizio.',
  },
  'discovery/invalid-redirect': {
    what: 'L’indirizzo porta a un punto che non esiste.',
    todo: 'Controlla l’indirizzo o avvisa chi gestisce il servizio.',
  },
  'discovery/server-error': {
    what: 'Al momento il servizio ha un guasto.',
    todo: 'Riprova tra un po’.',
  },

  'oauth/login-required': {
    what: 'La tua sessione è scaduta.',
    todo: 'Accedi di nuovo per continuare.',
  },
  'oauth/access-denied': {
    what: 'L’accesso è stato negato nel browser.',
    todo: 'Accedi di nuovo e autorizza lì Causeway.',
  },
  'oauth/client-refused': {
    what: 'Questo servizio non conosce Causeway, quindi per ora nessuno può accedere con questa applicazione.',
    todo: 'Chiedi agli amministratori del servizio di registrare Causeway, o inserisci l’ID client che ti hanno dato.',
  },
  'oauth/authorization-failed': {
    what: 'Il servizio non ti ha fatto accedere.',
    todo: 'Riprova. Se succede di nuovo, avvisa chi gestisce il servizio.',
  },
  'oauth/cancelled': {
    what: 'L’accesso è stato annullato.',
    todo: 'Accedi di nuovo quando vuoi continuare.',
  },
  'oauth/timed-out': {
    what: 'Causeway ha atteso il browser e non ha ricevuto risposta.',
    todo: 'Accedi di nuovo. Se il browser mostra un errore, avvisa chi gestisce il servizio.',
  },
  'oauth/issuer-mismatch': {
    what: 'La risposta nel browser proviene da un servizio diverso da quello richiesto, quindi Causeway non l’ha usata.',
    todo: 'Accedi di nuovo. Se succede ancora, avvisa chi gestisce il servizio.',
  },
  'oauth/invalid-callback': {
    what: 'Il browser è tornato senza ciò che serve a Causeway.',
    todo: 'Accedi di nuovo.',
  },
  'oauth/code-refused': {
    what: 'Il servizio ha ritirato l’autorizzazione che aveva appena dato.',
    todo: 'Accedi di nuovo.',
  },
  'oauth/invalid-token-response': {
    what: 'Il servizio ha risposto all’accesso in un modo che Causeway non può usare.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'oauth/server-error': {
    what: 'Al momento l’accesso al servizio ha un guasto.',
    todo: 'Riprova tra un po’. La tua sessione resta attiva.',
  },
  'oauth/browser-not-opened': {
    what: 'Il browser non si è aperto.',
    todo: 'Imposta un browser predefinito nel sistema, poi riprova.',
  },

  'vpn-api/refused': {
    what: 'Il servizio ha rifiutato la richiesta.',
    todo: 'Riprova. Se succede di nuovo, avvisa chi gestisce il servizio.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Questo profilo non esiste più o non è disponibile per te.',
    todo: 'Scegli un altro profilo o chiedilo alla tua organizzazione.',
  },
  'vpn-api/server-error': {
    what: 'Al momento il servizio ha un guasto.',
    todo: 'Riprova tra un po’.',
  },
  'vpn-api/invalid-response': {
    what: 'Il servizio ha risposto in un modo che Causeway non può usare.',
    todo: 'Avvisa chi gestisce il servizio.',
  },

  'certificate/none': {
    what: 'Su questo computer non c’è ancora un certificato di questo servizio.',
    todo: 'Connettiti una volta e Causeway ne otterrà uno.',
  },
  'certificate/invalid': {
    what: 'Il servizio ti ha dato un certificato che non funziona.',
    todo: 'Riprova. Se succede di nuovo, avvisa chi gestisce il servizio.',
  },
  'certificate/clock-mismatch': {
    what: 'Secondo l’orologio di questo computer il tuo certificato non è ancora valido: gli orologi non coincidono.',
    todo: 'Regola l’orologio e il fuso orario di questo computer, poi connettiti di nuovo.',
  },
  'certificate/refused': {
    what: 'Il servizio non accetta il tuo certificato e non te ne dà un altro.',
    todo: 'Chiedi alla tua organizzazione se il tuo account è ancora attivo.',
  },

  'secret-store/unavailable': {
    what: 'Su questo computer non c’è un portachiavi in cui conservare la tua sessione.',
    todo: 'Configura un portachiavi, come GNOME Keyring o KWallet, poi avvia di nuovo Causeway.',
  },
  'secret-store/locked': {
    what: 'Il portachiavi di questo computer è bloccato.',
    todo: 'Sbloccalo, poi riprova.',
  },
  'secret-store/in-file': {
    what: 'Le tue sessioni sono conservate in un file, non in un portachiavi. Chi può leggere i tuoi file può usarle.',
    todo: 'Avvia Causeway senza l’opzione secret-store appena questo computer ha un portachiavi.',
  },
  'secret-store/failed': {
    what: 'Il portachiavi di questo computer non ha fatto quanto richiesto.',
    todo: 'Riprova. Se succede di nuovo, termina la sessione del computer e accedi di nuovo.',
  },

  'profile-configuration/malformed': {
    what: 'Il profilo è danneggiato o incompleto, quindi Causeway non lo usa.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'Il profilo chiede qualcosa che potrebbe danneggiare questo computer, quindi Causeway non lo usa.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'profile-configuration/invalid-argument': {
    what: 'Il profilo contiene un valore che Causeway non trasmette.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'profile-configuration/incomplete': {
    what: 'Al profilo manca qualcosa di cui un tunnel ha bisogno.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Preferisci TCP e questo profilo non ha alcun server che lo usi.',
    todo: 'Disattiva la preferenza per TCP o scegli un altro profilo.',
  },

  'openvpn/not-found': {
    what: 'OpenVPN non è stato trovato su questo computer.',
    todo: 'Installa OpenVPN 2.5 o versione successiva, oppure correggi il percorso in cui Causeway lo cerca, poi connettiti di nuovo.',
  },
  'openvpn/too-old': {
    what: 'La versione di OpenVPN su questo computer è troppo vecchia.',
    todo: 'Aggiornala, poi connettiti di nuovo.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway non ha il permesso di creare un tunnel su questo computer.',
    todo: 'Consentilo quando il sistema lo chiede, oppure rivolgiti a chi si occupa di questo computer.',
  },
  'openvpn/certificate-rejected': {
    what: 'Il server ha rifiutato il tuo certificato, e anche uno nuovo.',
    todo: 'Esci e accedi di nuovo. Se succede ancora, chiedi alla tua organizzazione.',
  },
  'openvpn/authentication-failed': {
    what: 'Il server non ti ha fatto entrare.',
    todo: 'Chiedi alla tua organizzazione se puoi usare questo profilo.',
  },
  'openvpn/server-not-verified': {
    what: 'Il server non ha potuto dimostrare di essere quello giusto, quindi Causeway si è fermato.',
    todo: 'Prova un’altra rete. Se succede di nuovo, avvisa chi gestisce il servizio.',
  },
  'openvpn/unreachable': {
    what: 'Nessun server di questo profilo ha risposto.',
    todo: 'Controlla la rete. Alcune reti bloccano le VPN: provane un’altra.',
  },
  'openvpn/name-not-resolved': {
    what: 'Non è stato possibile risolvere il nome del server VPN.',
    todo: 'Controlla la rete, poi riprova.',
  },
  'openvpn/halted-by-server': {
    what: 'Il server ha chiuso il tunnel.',
    todo: 'Leggi i messaggi del servizio e connettiti di nuovo più tardi.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN non può funzionare con questo profilo.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'openvpn/timed-out': {
    what: 'Il tunnel non è stato creato in tempo.',
    todo: 'Riprova, oppure prova un’altra rete.',
  },
  'network/captive-portal': {
    what: 'Questa rete chiede di accedere prima di lasciarti uscire.',
    todo: 'Apri una pagina web nel browser, effettua l’accesso, poi connettiti di nuovo.',
  },
  'connection/lost': {
    what: 'Il tunnel è caduto e la riconnessione è disattivata.',
    todo: 'Connettiti di nuovo, oppure attiva la riconnessione in Opzioni.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN si è fermato da solo.',
    todo: 'Connettiti di nuovo. Se succede ancora, segnalalo con il codice qui sotto.',
  },

  'helper/not-installed': {
    what: 'Il componente ausiliario di Causeway non è installato e, senza di esso, Causeway non può creare un dispositivo di rete.',
    todo: 'Installalo con «causeway helper install».',
  },
  'helper/dismissed': {
    what: 'La domanda se Causeway può creare la connessione è stata chiusa.',
    todo: 'Connettiti di nuovo e rispondi.',
  },
  'helper/not-authorized': {
    what: 'Questo computer non ti permette di creare una connessione.',
    todo: 'Rivolgiti al suo amministratore, oppure connettiti dalla sessione grafica, dove ti può essere chiesta una password.',
  },
  'helper/refused': {
    what: 'Il componente ausiliario di Causeway ha rifiutato la configurazione di questa connessione.',
    todo: 'Chiedi all’amministratore di questo servizio di correggere il profilo, oppure installa di nuovo il componente ausiliario di questa versione.',
  },
  'helper/failed': {
    what: 'Il componente ausiliario di Causeway non è riuscito a fare il suo lavoro.',
    todo: 'Esegui «causeway doctor».',
  },
  'helper/needed-for-kill-switch': {
    what: 'Il kill switch richiede il componente ausiliario di Causeway, che non è installato.',
    todo: 'Installalo con: causeway helper install. Oppure disattiva il kill switch in Opzioni.',
  },
  'helper/kill-switch-failed': {
    what: 'Non è stato possibile attivare il kill switch, quindi Causeway non si è connesso.',
    todo: 'Installa nftables, oppure disattiva il kill switch in Opzioni.',
  },
  'helper/traffic-blocked': {
    what: 'Il kill switch tiene bloccato tutto il traffico.',
    todo: 'Rimuovi il blocco con «causeway connect --release», poi connettiti di nuovo.',
  },
  'helper/dns-not-set': {
    what: 'Non è stato possibile impostare i server DNS di questa VPN, quindi i nomi vengono ancora risolti al di fuori di essa.',
    todo: 'Installa systemd-resolved o resolvconf, poi connettiti di nuovo.',
  },
  'helper/repaired': {
    what: 'Una connessione era terminata senza fare pulizia.',
    todo: 'Ciò che aveva lasciato è stato rimosso. Non devi fare nulla.',
  },
  'helper/service-missing': {
    what: 'Il servizio di OpenVPN non è in esecuzione su questo computer e, senza di esso, Causeway non può creare una connessione.',
    todo: 'Installa OpenVPN con il suo servizio, oppure avvia il servizio di Windows «OpenVPN Interactive Service».',
  },
  'helper/service-refused': {
    what: 'Il servizio di OpenVPN di questo computer non avvia connessioni per il tuo account.',
    todo: 'Chiedi a un amministratore di aggiungere il tuo account al gruppo «OpenVPN Administrators», poi accedi di nuovo a Windows.',
  },
  'helper/powershell-refused': {
    what: 'Windows non lascia che Causeway esegua PowerShell, che chiuderebbe la connessione se Causeway non ci fosse più.',
    todo: 'Chiedi all’amministratore di questo computer di consentirti PowerShell.',
  },
  'helper/kill-switch-not-offered': {
    what: 'Su questo sistema non c’è ancora un kill switch.',
    todo: 'Disattiva il kill switch in Opzioni, poi connettiti di nuovo.',
  },

  'attachments/refused': {
    what: 'Il servizio di allegati ha rifiutato la richiesta.',
    todo: 'Chiedi alla tua organizzazione se puoi usarlo.',
  },
  'attachments/unavailable': {
    what: 'Al momento il servizio di allegati non può rispondere.',
    todo: 'Attendi un momento, poi riprova.',
  },
  'attachments/unreadable': {
    what: 'Alcuni allegati sono illeggibili e non vengono mostrati.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'attachments/not-offered': {
    what: 'Questo servizio VPN non offre allegati.',
    todo: 'Scegli un altro servizio VPN, oppure chiedi a chi lo gestisce l’indirizzo degli allegati e inseriscilo in Opzioni.',
  },
  'attachments/invalid-response': {
    what: 'Il servizio di allegati ha risposto in un modo che Causeway non può usare.',
    todo: 'Avvisa chi gestisce il servizio.',
  },
  'attachments/invalid-request': {
    what: 'La richiesta è incompleta, quindi non è stata inviata al servizio di allegati.',
    todo: 'Controlla i dati inseriti.',
  },
  'attachments/forbidden': {
    what: 'Il servizio di allegati non ti permette di farlo.',
    todo: 'Controlla in Opzioni chi sei per questo servizio, oppure chiedi il ruolo alla tua organizzazione.',
  },
  'attachments/not-found': {
    what: 'Questo allegato non esiste, oppure il suo file non è ancora arrivato.',
    todo: 'Aggiorna l’elenco, oppure attendi che il caricamento sia completato.',
  },
  'attachments/not-a-file': {
    what: 'Questo allegato è un link, non un file.',
    todo: 'Apri il link.',
  },
  'attachments/extension-needed': {
    what: 'Il nome di questo file non ha un’estensione, come .pdf, e il servizio ne richiede una.',
    todo: 'Dai al file un nome che termini con un’estensione.',
  },
  'attachments/file-unreadable': {
    what: 'Questo file non è leggibile.',
    todo: 'Controlla che esista, che sia un file e che tu possa leggerlo.',
  },
  'attachments/file-changed': {
    what: 'Il file è cambiato durante il caricamento.',
    todo: 'Attendi che nulla vi scriva più e caricalo di nuovo.',
  },
  'attachments/file-exists': {
    what: 'Esiste già un file con questo nome.',
    todo: 'Scegli un altro nome, oppure consenti di sostituirlo.',
  },
  'attachments/file-unwritable': {
    what: 'Non è possibile salvare lì il file.',
    todo: 'Controlla che ci sia spazio sul disco e che tu possa scrivere nella cartella.',
  },
  'attachments/file-missing': {
    what: 'Il servizio non ha più il file di questo allegato.',
    todo: 'Chiedi al suo autore di caricarlo di nuovo.',
  },
  'attachments/storage-refused': {
    what: 'Lo spazio di archiviazione del servizio di allegati ha rifiutato il file.',
    todo: 'Riprova più tardi o avvisa chi gestisce il servizio.',
  },
  'attachments/not-opened': {
    what: 'Non è stato possibile aprire il file.',
    todo: 'Aprilo dalla sua cartella con un programma a tua scelta.',
  },
  'attachments/unsafe-link': {
    what: 'Causeway non apre link come questo.',
    todo: 'Chiedi al suo autore un indirizzo che inizi con https://.',
  },

  'content/not-offered': {
    what: 'Questo servizio VPN non offre notizie.',
    todo: 'Scegli un altro servizio VPN, oppure chiedi a chi lo gestisce l’indirizzo delle notizie e inseriscilo in Opzioni.',
  },

  'organizations/not-offered': {
    what: 'Questo servizio VPN non offre organizzazioni.',
    todo: 'Scegli un altro servizio VPN, oppure chiedi a chi lo gestisce l’indirizzo delle organizzazioni e inseriscilo in Opzioni.',
  },
  'organizations/invalid-request': {
    what: 'Così com’è, questo non può essere inviato al servizio delle organizzazioni.',
    todo: 'Controlla quanto hai scritto: manca qualcosa, è troppo lungo o contiene caratteri non ammessi.',
  },
  'organizations/unauthorized': {
    what: 'Il servizio delle organizzazioni vuole sapere chi sei.',
    todo: 'Inserisci il token, oppure il nome utente e la password, che hai per questo servizio.',
  },
  'organizations/forbidden': {
    what: 'Puoi vedere questa organizzazione, ma non modificarla.',
    todo: 'Chiedi a uno dei suoi amministratori di farlo, o di darti quel ruolo.',
  },
  'organizations/not-found': {
    what: 'Questa organizzazione non esiste, o non esiste più.',
    todo: 'Controllane il numero o il nome, oppure guardane un’altra.',
  },
  'organizations/user-not-found': {
    what: 'Questo utente non esiste, o non esiste più.',
    todo: 'Controlla come è scritto e aggiorna l’elenco.',
  },
  'organizations/name-taken': {
    what: 'Un’altra organizzazione ha già questo nome.',
    todo: 'Scegli un altro nome.',
  },
  'organizations/already-member': {
    what: 'Questo utente è già membro.',
    todo: 'Cercalo nell’elenco per cambiarne il ruolo.',
  },
  'organizations/last-administrator': {
    what: 'Un’organizzazione ha bisogno di un amministratore, e questo è l’ultimo.',
    todo: 'Nomina prima amministratore un’altra persona.',
  },
  'organizations/refused': {
    what: 'Il servizio delle organizzazioni non lo ha fatto.',
    todo: 'Riprova più tardi o chiedi a chi lo gestisce.',
  },
  'organizations/invalid-response': {
    what: 'Il servizio delle organizzazioni ha risposto in un modo che Causeway non può usare.',
    todo: 'Avvisa chi gestisce il servizio. Se hai modificato qualcosa, aggiorna per vedere se è stato fatto.',
  },

  'content/invalid-request': {
    what: 'Il servizio di notizie non accetta quanto è stato inserito.',
    todo: 'Controllalo e riprova.',
  },
  'content/refused': {
    what: 'Il servizio di notizie ha rifiutato la richiesta.',
    todo: 'Chiedi alla tua organizzazione se puoi usarlo.',
  },
  'content/not-found': {
    what: 'Il servizio di notizie lì non ha nulla, o non l’ha più.',
    todo: 'Torna all’elenco e aggiornalo, oppure controlla l’indirizzo.',
  },
  'content/unavailable': {
    what: 'Al momento il servizio di notizie non può rispondere.',
    todo: 'Attendi un momento, poi riprova.',
  },
  'content/invalid-response': {
    what: 'Il servizio di notizie ha risposto in un modo che Causeway non può usare.',
    todo: 'Riprova più tardi. Se continua così, avvisa chi gestisce il servizio.',
  },

  'settings/unknown': {
    what: 'Questa opzione non esiste.',
    todo: 'Scegli una di quelle mostrate.',
  },
  'settings/invalid-value': {
    what: 'Questa opzione non accetta quel valore.',
    todo: 'Scegline un altro.',
  },
  'start-at-login/window-only': {
    what: 'Il comando da terminale non può attivarlo qui.',
    todo: 'Attivalo nelle opzioni della finestra.',
  },
  'start-at-login/refused': {
    what: 'Il sistema non lo ha accettato.',
    todo: 'Cerca Causeway tra gli elementi di avvio nelle impostazioni del sistema e consentilo lì.',
  },
  'data/damaged': {
    what: 'Un file di Causeway era danneggiato e Causeway ha proseguito senza.',
    todo: 'È stato messo da parte e nulla è stato cancellato. Controlla le opzioni e l’elenco dei servizi.',
  },
  'data/unreadable': {
    what: 'Non è stato possibile leggere un file di Causeway.',
    todo: 'Controlla di poter leggere il file indicato qui sotto.',
  },
  'data/unwritable': {
    what: 'Causeway non ha potuto salvare la modifica.',
    todo: 'Controlla che ci sia spazio sul disco e che tu possa scrivere nel file indicato qui sotto.',
  },
  'data/busy': {
    what: 'Un altro Causeway è occupato con lo stesso file da troppo tempo.',
    todo: 'Attendi un momento, o chiudi l’altro, poi riprova.',
  },

  'connection/held-by-other': {
    what: 'Un altro tuo Causeway, ad esempio il comando da terminale, ha il tunnel.',
    todo: 'Disconnettilo prima lì, oppure disconnettilo qui.',
  },

  'session/ends-soon': {
    what: 'La tua sessione sta per scadere.',
    todo: 'Rinnovala prima in Connessione. Autorizzerai Causeway ancora una volta nel browser.',
  },
  'session/over': {
    what: 'La tua sessione è scaduta.',
    todo: 'Rinnovala: autorizza Causeway nel browser e la connessione torna attiva.',
  },
  'clock/wrong': {
    what: 'L’orologio di questo computer è sbagliato, quindi il tuo certificato qui non è valido.',
    todo: 'Regola l’orologio e il fuso orario nelle impostazioni del sistema, meglio in automatico, poi connettiti di nuovo.',
  },
}
