import type { ErrorTexts } from '../error-texts'

/** For every error, what happened and what to do, in Spanish. */
export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway se ha encontrado con una situación para la que no está preparado.',
    todo: 'Reinténtalo. Si vuelve a ocurrir, comunícalo con el código de abajo.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway se cerró de forma inesperada mientras estaba conectado o conectándose.',
    todo: 'Vuelve a conectarte. Si vuelve a ocurrir, envía a tu organización el informe de Ajustes, «Copiar para soporte».',
  },
  'usage/invalid-argument': {
    what: 'Causeway no puede usar lo que se ha introducido.',
    todo: 'Compruébalo y reinténtalo.',
  },
  'usage/unknown-instance': {
    what: 'Este servicio ya no está en tu lista.',
    todo: 'Vuelve a añadirlo con su dirección.',
  },
  'usage/instance-needed': {
    what: 'No está claro de qué servicio se trata.',
    todo: 'Elige uno de tu lista o añade uno primero.',
  },
  'usage/no-last-connection': {
    what: 'Causeway no recuerda ninguna conexión anterior.',
    todo: 'Elige un perfil.',
  },
  'usage/profile-needed': {
    what: 'No está claro de qué perfil se trata.',
    todo: 'Elige uno de la lista.',
  },

  'http/insecure-url': {
    what: 'La dirección no es segura.',
    todo: 'Usa una dirección que empiece por https.',
  },
  'http/unreachable': {
    what: 'No se ha podido conectar con el servidor.',
    todo: 'Comprueba tu red y la dirección, y reinténtalo.',
  },
  'http/tls-failed': {
    what: 'No se ha podido establecer una conexión segura con el servidor: su certificado no es válido.',
    todo: 'Comprueba la dirección y el reloj de este equipo. En una red de invitados, abre primero una página web e inicia sesión allí.',
  },
  'http/timed-out': {
    what: 'El servidor no ha respondido a tiempo.',
    todo: 'Reinténtalo dentro de un rato o desde otra red.',
  },
  'http/too-large': {
    what: 'El servidor ha enviado mucho más de lo que se pidió, así que Causeway ha dejado de leer.',
    todo: 'Comprueba la dirección. Si es correcta, informa a los administradores del servicio.',
  },
  'http/private-address': {
    what: 'El servicio ha indicado una dirección que no está en la internet pública, así que Causeway no la ha consultado.',
    todo: 'Informa a los administradores del servicio.',
  },
  'http/cancelled': {
    what: 'La solicitud se ha cancelado.',
    todo: 'Vuelve a iniciarla cuando quieras continuar.',
  },

  'discovery/invalid-address': {
    what: 'Esta no es la dirección de un servicio.',
    todo: 'Escríbela tal como te la dieron, por ejemplo vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Esta dirección empieza por http://, de modo que cualquiera podría leer la comunicación por el camino.',
    todo: 'Usa la dirección que empieza por https://.',
  },
  'discovery/not-found': {
    what: 'En esta dirección no hay ningún servicio VPN.',
    todo: 'Confirma la dirección con tu organización.',
  },
  'discovery/not-json': {
    what: 'Esta dirección responde, pero no como lo hace un servicio VPN.',
    todo: 'Comprueba la dirección. En una red de invitados, abre primero una página web e inicia sesión allí.',
  },
  'discovery/no-vpn-api': {
    what: 'El servicio de esta dirección no usa una versión que Causeway entienda.',
    todo: 'Pregunta a tu organización qué aplicación corresponde a su servicio.',
  },
  'discovery/unsupported-version': {
    what: 'Este servicio solo ofrece una versión de la API de VPN que esta versión de Causeway todavía no admite.',
    todo: 'Comprueba si hay una versión más reciente de Causeway o pregunta a tu organización qué aplicación funciona con su servicio.',
  },
  'discovery/invalid-document': {
    what: 'El servicio se describe de una forma que Causeway no puede usar.',
    todo: 'Informa a los administradores del servicio.',
  },
  'discovery/too-many-redirects': {
    what: 'La dirección lleva de un lugar a otro sin fin.',
    todo: 'Comprueba la dirección o informa a los administradores del servicio.',
  },
  'discovery/insecure-redirect': {
    what: 'La dirección lleva a un lugar que no es seguro, así que Causeway no ha continuado.',
    todo: 'Comprueba la dirección o informa a los administradores del servicio.',
  },
  'discovery/invalid-redirect': {
    what: 'La dirección lleva a un lugar que no existe.',
    todo: 'Comprueba la dirección o informa a los administradores del servicio.',
  },
  'discovery/server-error': {
    what: 'El servicio tiene una avería en este momento.',
    todo: 'Reinténtalo dentro de un rato.',
  },

  'oauth/login-required': {
    what: 'Tu sesión ha caducado.',
    todo: 'Vuelve a iniciar sesión para continuar.',
  },
  'oauth/access-denied': {
    what: 'Se ha denegado el acceso en el navegador.',
    todo: 'Vuelve a iniciar sesión y autoriza a Causeway allí.',
  },
  'oauth/client-refused': {
    what: 'Este servicio no conoce Causeway, así que todavía nadie puede iniciar sesión con él.',
    todo: 'Pide a los administradores del servicio que registren Causeway o introduce el ID de cliente que te hayan dado.',
  },
  'oauth/authorization-failed': {
    what: 'El servicio no te ha dejado iniciar sesión.',
    todo: 'Reinténtalo. Si vuelve a ocurrir, informa a los administradores del servicio.',
  },
  'oauth/cancelled': {
    what: 'Se ha cancelado el inicio de sesión.',
    todo: 'Vuelve a iniciar sesión cuando quieras continuar.',
  },
  'oauth/timed-out': {
    what: 'Causeway ha esperado al navegador y no ha recibido respuesta.',
    todo: 'Vuelve a iniciar sesión. Si el navegador muestra un error, informa a los administradores del servicio.',
  },
  'oauth/issuer-mismatch': {
    what: 'La respuesta del navegador procede de un servicio distinto del solicitado, así que Causeway no la ha usado.',
    todo: 'Vuelve a iniciar sesión. Si vuelve a ocurrir, informa a los administradores del servicio.',
  },
  'oauth/invalid-callback': {
    what: 'El navegador ha vuelto sin lo que Causeway necesita.',
    todo: 'Vuelve a iniciar sesión.',
  },
  'oauth/code-refused': {
    what: 'El servicio ha retirado la autorización que acababa de dar.',
    todo: 'Vuelve a iniciar sesión.',
  },
  'oauth/invalid-token-response': {
    what: 'El servicio ha respondido al inicio de sesión de una forma que Causeway no puede usar.',
    todo: 'Informa a los administradores del servicio.',
  },
  'oauth/server-error': {
    what: 'El inicio de sesión del servicio tiene una avería en este momento.',
    todo: 'Reinténtalo dentro de un rato. Tu sesión sigue abierta.',
  },
  'oauth/browser-not-opened': {
    what: 'No se ha abierto tu navegador.',
    todo: 'Elige un navegador predeterminado en tu sistema y reinténtalo.',
  },

  'vpn-api/refused': {
    what: 'El servicio ha rechazado la solicitud.',
    todo: 'Reinténtalo. Si vuelve a ocurrir, informa a los administradores del servicio.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Este perfil ya no existe o no está disponible para ti.',
    todo: 'Elige otro perfil o pídelo a tu organización.',
  },
  'vpn-api/server-error': {
    what: 'El servicio tiene una avería en este momento.',
    todo: 'Reinténtalo dentro de un rato.',
  },
  'vpn-api/invalid-response': {
    what: 'El servicio ha respondido de una forma que Causeway no puede usar.',
    todo: 'Informa a los administradores del servicio.',
  },

  'certificate/none': {
    what: 'Todavía no hay ningún certificado de este servicio en este equipo.',
    todo: 'Conéctate una vez y Causeway obtendrá uno.',
  },
  'certificate/invalid': {
    what: 'El servicio te ha dado un certificado que no funciona.',
    todo: 'Reinténtalo. Si vuelve a ocurrir, informa a los administradores del servicio.',
  },
  'certificate/clock-mismatch': {
    what: 'Según el reloj de este equipo, tu certificado aún no es válido: los relojes no coinciden.',
    todo: 'Ajusta el reloj y la zona horaria de este equipo y vuelve a conectarte.',
  },
  'certificate/refused': {
    what: 'El servicio no acepta tu certificado y no te da otro.',
    todo: 'Pregunta a tu organización si tu cuenta sigue activa.',
  },

  'secret-store/unavailable': {
    what: 'En este equipo no hay ningún almacén de claves donde guardar tu sesión.',
    todo: 'Configura un almacén de claves, como GNOME Keyring o KWallet, y vuelve a iniciar Causeway.',
  },
  'secret-store/locked': {
    what: 'El almacén de claves de este equipo está bloqueado.',
    todo: 'Desbloquéalo y reinténtalo.',
  },
  'secret-store/in-file': {
    what: 'Tus sesiones se guardan en un archivo, no en un almacén de claves. Quien pueda leer tus archivos puede usarlas.',
    todo: 'Inicia Causeway sin la opción secret-store en cuanto este equipo tenga un almacén de claves.',
  },
  'secret-store/failed': {
    what: 'El almacén de claves de este equipo no ha hecho lo que se le pidió.',
    todo: 'Reinténtalo. Si vuelve a ocurrir, cierra la sesión de tu equipo y vuelve a entrar.',
  },

  'profile-configuration/malformed': {
    what: 'El perfil está dañado o incompleto, así que Causeway no lo usa.',
    todo: 'Informa a los administradores del servicio.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'El perfil pide algo que podría dañar este equipo, así que Causeway no lo usa.',
    todo: 'Informa a los administradores del servicio.',
  },
  'profile-configuration/invalid-argument': {
    what: 'El perfil contiene un valor que Causeway no transmite.',
    todo: 'Informa a los administradores del servicio.',
  },
  'profile-configuration/incomplete': {
    what: 'Al perfil le falta algo que un túnel necesita.',
    todo: 'Informa a los administradores del servicio.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Prefieres TCP y este perfil no tiene ningún servidor que lo use.',
    todo: 'Desactiva la preferencia por TCP o elige otro perfil.',
  },

  'openvpn/not-found': {
    what: 'No se ha encontrado OpenVPN en este equipo.',
    todo: 'Instala OpenVPN 2.5 o posterior, o corrige la ruta donde Causeway lo busca, y vuelve a conectarte.',
  },
  'openvpn/too-old': {
    what: 'La versión de OpenVPN de este equipo es demasiado antigua.',
    todo: 'Actualízala y vuelve a conectarte.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway no tiene permiso para crear un túnel en este equipo.',
    todo: 'Permítelo cuando tu sistema lo pregunte, o consulta a la persona que se encarga de este equipo.',
  },
  'openvpn/certificate-rejected': {
    what: 'El servidor ha rechazado tu certificado, y también uno nuevo.',
    todo: 'Cierra la sesión y vuelve a iniciarla. Si vuelve a ocurrir, pregunta a tu organización.',
  },
  'openvpn/authentication-failed': {
    what: 'El servidor no te ha dado acceso.',
    todo: 'Pregunta a tu organización si puedes usar este perfil.',
  },
  'openvpn/server-not-verified': {
    what: 'El servidor no ha podido demostrar que es el correcto, así que Causeway se ha detenido.',
    todo: 'Prueba con otra red. Si vuelve a ocurrir, informa a los administradores del servicio.',
  },
  'openvpn/unreachable': {
    what: 'Ningún servidor de este perfil ha respondido.',
    todo: 'Comprueba tu red. Algunas redes bloquean las VPN: prueba con otra.',
  },
  'openvpn/name-not-resolved': {
    what: 'No se ha podido resolver el nombre del servidor VPN.',
    todo: 'Comprueba tu red y reinténtalo.',
  },
  'openvpn/halted-by-server': {
    what: 'El servidor ha cerrado el túnel.',
    todo: 'Lee los mensajes del servicio y vuelve a conectarte más tarde.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN no puede trabajar con este perfil.',
    todo: 'Informa a los administradores del servicio.',
  },
  'openvpn/timed-out': {
    what: 'El túnel no se ha establecido a tiempo.',
    todo: 'Reinténtalo o prueba con otra red.',
  },
  'network/captive-portal': {
    what: 'Esta red pide iniciar sesión antes de dejarte salir.',
    todo: 'Abre una página web en tu navegador, inicia sesión y vuelve a conectarte.',
  },
  'connection/lost': {
    what: 'El túnel se ha perdido y la reconexión está desactivada.',
    todo: 'Vuelve a conectarte o activa la reconexión en Ajustes.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN se ha detenido por sí solo.',
    todo: 'Vuelve a conectarte. Si vuelve a ocurrir, comunícalo con el código de abajo.',
  },

  'helper/not-installed': {
    what: 'El componente auxiliar de Causeway no está instalado y, sin él, Causeway no puede crear un dispositivo de red.',
    todo: 'Instálalo con «causeway helper install».',
  },
  'helper/dismissed': {
    what: 'Se cerró la pregunta sobre si Causeway puede crear la conexión.',
    todo: 'Vuelve a conectarte y respóndela.',
  },
  'helper/not-authorized': {
    what: 'Este equipo no te permite crear una conexión.',
    todo: 'Consulta a su administrador, o conéctate desde la sesión de escritorio, donde se te puede pedir una contraseña.',
  },
  'helper/refused': {
    what: 'El componente auxiliar de Causeway ha rechazado la configuración de esta conexión.',
    todo: 'Pide al administrador de este servicio que corrija el perfil, o vuelve a instalar el componente auxiliar de esta versión.',
  },
  'helper/failed': {
    what: 'El componente auxiliar de Causeway no ha podido hacer su trabajo.',
    todo: 'Ejecuta «causeway doctor».',
  },
  'helper/needed-for-kill-switch': {
    what: 'El kill switch necesita el componente auxiliar de Causeway, que no está instalado.',
    todo: 'Instálalo con: causeway helper install. O desactiva el kill switch en Ajustes.',
  },
  'helper/kill-switch-failed': {
    what: 'No se ha podido activar el kill switch, así que Causeway no se ha conectado.',
    todo: 'Instala nftables o desactiva el kill switch en Ajustes.',
  },
  'helper/traffic-blocked': {
    what: 'El kill switch mantiene bloqueado todo el tráfico.',
    todo: 'Quita el bloqueo con «causeway connect --release» y vuelve a conectarte.',
  },
  'helper/dns-not-set': {
    what: 'No se han podido configurar los servidores DNS de esta VPN, así que los nombres se siguen resolviendo fuera de ella.',
    todo: 'Instala systemd-resolved o resolvconf y vuelve a conectarte.',
  },
  'helper/repaired': {
    what: 'Una conexión había terminado sin dejarlo todo limpio.',
    todo: 'Los restos ya se han eliminado. No tienes que hacer nada.',
  },
  'helper/service-missing': {
    what: 'El servicio de OpenVPN no se está ejecutando en este equipo y, sin él, Causeway no puede crear una conexión.',
    todo: 'Instala OpenVPN con su servicio, o inicia el servicio de Windows «OpenVPN Interactive Service».',
  },
  'helper/service-refused': {
    what: 'El servicio de OpenVPN de este equipo no inicia conexiones para tu cuenta.',
    todo: 'Pide a un administrador que añada tu cuenta al grupo «OpenVPN Administrators» y vuelve a iniciar sesión en Windows.',
  },
  'helper/powershell-refused': {
    what: 'Windows no deja que Causeway ejecute PowerShell, que cerraría la conexión si Causeway desapareciera.',
    todo: 'Pide al administrador de este equipo que te permita usar PowerShell.',
  },
  'helper/kill-switch-not-offered': {
    what: 'En este sistema todavía no hay kill switch.',
    todo: 'Desactiva el kill switch en Ajustes y vuelve a conectarte.',
  },

  'attachments/refused': {
    what: 'El servicio de adjuntos ha rechazado la solicitud.',
    todo: 'Pregunta a tu organización si puedes usarlo.',
  },
  'attachments/unavailable': {
    what: 'El servicio de adjuntos no puede responder ahora.',
    todo: 'Espera un momento y reinténtalo.',
  },
  'attachments/unreadable': {
    what: 'Algunos adjuntos no se pueden leer y no se muestran.',
    todo: 'Informa a los administradores del servicio.',
  },
  'attachments/not-offered': {
    what: 'Este servicio VPN no ofrece adjuntos.',
    todo: 'Elige otro servicio VPN, o pide a sus administradores la dirección de los adjuntos y escríbela en Ajustes.',
  },
  'attachments/invalid-response': {
    what: 'El servicio de adjuntos ha respondido de una forma que Causeway no puede usar.',
    todo: 'Informa a los administradores del servicio.',
  },
  'attachments/invalid-request': {
    what: 'La solicitud está incompleta, así que no se ha enviado al servicio de adjuntos.',
    todo: 'Comprueba los datos introducidos.',
  },
  'attachments/forbidden': {
    what: 'El servicio de adjuntos no te permite hacer esto.',
    todo: 'Comprueba en Ajustes quién eres para este servicio, o pide el rol a tu organización.',
  },
  'attachments/not-found': {
    what: 'Este adjunto no existe o su archivo aún no ha llegado.',
    todo: 'Actualiza la lista o espera a que termine de subirse.',
  },
  'attachments/not-a-file': {
    what: 'Este adjunto es un enlace, no un archivo.',
    todo: 'Abre el enlace.',
  },
  'attachments/extension-needed': {
    what: 'El nombre de este archivo no tiene extensión, como .pdf, y el servicio la necesita.',
    todo: 'Dale al archivo un nombre que termine en una extensión.',
  },
  'attachments/file-unreadable': {
    what: 'No se puede leer este archivo.',
    todo: 'Comprueba que existe, que es un archivo y que tienes permiso para leerlo.',
  },
  'attachments/file-changed': {
    what: 'El archivo ha cambiado mientras se subía.',
    todo: 'Espera a que nada más escriba en él y vuelve a subirlo.',
  },
  'attachments/file-exists': {
    what: 'Ya hay un archivo con este nombre.',
    todo: 'Elige otro nombre o permite que se sustituya.',
  },
  'attachments/file-unwritable': {
    what: 'No se puede guardar el archivo ahí.',
    todo: 'Comprueba que hay espacio en el disco y que tienes permiso para escribir en la carpeta.',
  },
  'attachments/file-missing': {
    what: 'El servicio ya no tiene el archivo de este adjunto.',
    todo: 'Pide a su autor que vuelva a subirlo.',
  },
  'attachments/storage-refused': {
    what: 'El almacenamiento del servicio de adjuntos ha rechazado el archivo.',
    todo: 'Reinténtalo más tarde o informa a los administradores del servicio.',
  },
  'attachments/not-opened': {
    what: 'No se ha podido abrir el archivo.',
    todo: 'Ábrelo desde su carpeta con el programa que prefieras.',
  },
  'attachments/unsafe-link': {
    what: 'Causeway no abre enlaces como este.',
    todo: 'Pide a su autor una dirección que empiece por https://.',
  },

  'content/not-offered': {
    what: 'Este servicio VPN no ofrece noticias.',
    todo: 'Elige otro servicio VPN, o pide a sus administradores la dirección de las noticias y escríbela en Ajustes.',
  },

  'organizations/not-offered': {
    what: 'Este servicio VPN no ofrece organizaciones.',
    todo: 'Elige otro servicio VPN, o pide a sus administradores la dirección de las organizaciones y escríbela en Ajustes.',
  },
  'organizations/invalid-request': {
    what: 'Esto no se puede enviar así al servicio de organizaciones.',
    todo: 'Comprueba lo que has escrito: falta algo, es demasiado largo o contiene caracteres que no corresponden.',
  },
  'organizations/unauthorized': {
    what: 'El servicio de organizaciones necesita saber quién eres.',
    todo: 'Introduce el token, o el nombre de usuario y la contraseña, que tienes para él.',
  },
  'organizations/forbidden': {
    what: 'Puedes ver esta organización, pero no modificarla.',
    todo: 'Pide a uno de sus administradores que lo haga o que te dé ese rol.',
  },
  'organizations/not-found': {
    what: 'Esta organización no existe o ya no existe.',
    todo: 'Comprueba su número o su nombre, o mira otra.',
  },
  'organizations/user-not-found': {
    what: 'Este usuario no existe o ya no existe.',
    todo: 'Comprueba cómo está escrito y actualiza la lista.',
  },
  'organizations/name-taken': {
    what: 'Otra organización ya tiene este nombre.',
    todo: 'Elige otro nombre.',
  },
  'organizations/already-member': {
    what: 'Este usuario ya es miembro.',
    todo: 'Búscalo en la lista para cambiar su rol.',
  },
  'organizations/last-administrator': {
    what: 'Una organización necesita un administrador, y este es el último.',
    todo: 'Nombra antes a otra persona como administrador.',
  },
  'organizations/refused': {
    what: 'El servicio de organizaciones no lo ha hecho.',
    todo: 'Reinténtalo más tarde o pregunta a sus administradores.',
  },
  'organizations/invalid-response': {
    what: 'El servicio de organizaciones ha respondido de una forma que Causeway no puede usar.',
    todo: 'Informa a los administradores del servicio. Si has cambiado algo, actualiza para ver si se ha hecho.',
  },

  'content/invalid-request': {
    what: 'El servicio de noticias no admite lo que se ha introducido.',
    todo: 'Compruébalo y reinténtalo.',
  },
  'content/refused': {
    what: 'El servicio de noticias ha rechazado la solicitud.',
    todo: 'Pregunta a tu organización si puedes usarlo.',
  },
  'content/not-found': {
    what: 'El servicio de noticias no tiene nada ahí, o ya no lo tiene.',
    todo: 'Vuelve a la lista y actualízala, o comprueba la dirección.',
  },
  'content/unavailable': {
    what: 'El servicio de noticias no puede responder ahora.',
    todo: 'Espera un momento y reinténtalo.',
  },
  'content/invalid-response': {
    what: 'El servicio de noticias ha respondido de una forma que Causeway no puede usar.',
    todo: 'Reinténtalo más tarde. Si sigue igual, informa a los administradores del servicio.',
  },

  'settings/unknown': {
    what: 'Este ajuste no existe.',
    todo: 'Elige uno de los que se muestran.',
  },
  'settings/invalid-value': {
    what: 'Este ajuste no admite ese valor.',
    todo: 'Elige otro.',
  },
  'start-at-login/window-only': {
    what: 'El comando de terminal no puede activar esto aquí.',
    todo: 'Actívalo en los ajustes de la ventana.',
  },
  'start-at-login/refused': {
    what: 'El sistema no lo ha aceptado.',
    todo: 'Busca Causeway entre los elementos de inicio en los ajustes de tu sistema y permítelo allí.',
  },
  'data/damaged': {
    what: 'Un archivo de Causeway estaba dañado y Causeway ha continuado sin él.',
    todo: 'Se ha apartado sin borrar nada de su contenido. Comprueba tus ajustes y tu lista de servicios.',
  },
  'data/unreadable': {
    what: 'No se ha podido leer un archivo de Causeway.',
    todo: 'Comprueba que tienes permiso para leer el archivo indicado abajo.',
  },
  'data/unwritable': {
    what: 'Causeway no ha podido guardar el cambio.',
    todo: 'Comprueba que hay espacio en el disco y que tienes permiso para escribir en el archivo indicado abajo.',
  },
  'data/busy': {
    what: 'Otro Causeway lleva demasiado tiempo ocupado con el mismo archivo.',
    todo: 'Espera un momento, o cierra el otro, y reinténtalo.',
  },

  'connection/held-by-other': {
    what: 'Otro Causeway tuyo, por ejemplo el comando de terminal, tiene el túnel.',
    todo: 'Desconéctalo primero allí o desconéctalo aquí.',
  },

  'session/ends-soon': {
    what: 'Tu sesión caduca pronto.',
    todo: 'Renuévala antes en Conexión. Autorizarás a Causeway una vez más en tu navegador.',
  },
  'session/over': {
    what: 'Tu sesión ha caducado.',
    todo: 'Renuévala: autoriza a Causeway en tu navegador y la conexión se restablece.',
  },
  'clock/wrong': {
    what: 'El reloj de este equipo no está en hora, así que tu certificado no es válido aquí.',
    todo: 'Ajusta la hora y la zona horaria en los ajustes de tu sistema, mejor en automático, y vuelve a conectarte.',
  },
}
