import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

/** Every text of the window, in Spanish. */
export const texts: Translation = {
  navigation: {
    label: 'Secciones',
    skip: 'Saltar al contenido',
    connection: 'Conexión',
    messages: 'Mensajes',
    attachments: 'Adjuntos',
    news: 'Noticias',
    organization: 'Organización',
    settings: 'Ajustes',
    doctor: 'Diagnóstico',
  },
  connection,
  instance: {
    choose: 'Servicio VPN',
    welcomeTitle: 'Añade tu servicio VPN',
    welcomeText: 'La dirección te la da tu organización. Después, tus perfiles aparecerán aquí.',
    welcomeWhat: 'Causeway conecta este equipo con la VPN de tu organización.',
    nextTitle: 'Los siguientes pasos',
    nextBrowser: 'Pulsa «Iniciar sesión». Se abre tu navegador: inicia sesión allí y autoriza a Causeway.',
    nextProfiles: 'Tus perfiles aparecen aquí. Pulsa «Conectar» en uno de ellos.',
    address: 'Dirección',
    addressHint: 'Por ejemplo, vpn.example.org',
    add: 'Añadir servicio',
    addAnother: 'Añadir otro servicio',
    notNow: 'Ahora no',
    signedIn: 'Sesión iniciada',
    signedOut: 'Sesión no iniciada',
    waiting: 'Esperando a tu navegador. Autoriza a Causeway allí y vuelve aquí.',
    openAgain: 'Abrir otra vez el navegador',
    copyLink: 'Copiar enlace',
    timeLeft: 'Tiempo restante: {{time}}',
    useClientId: 'Guardar e iniciar sesión',
    logInHint: 'Para iniciar sesión se abre tu navegador. Después, tus perfiles aparecerán aquí.',
    loggedOut:
      'Has cerrado la sesión aquí. El servicio sigue mostrando Causeway como aplicación autorizada. Para revocar el acceso, abre la página de tu cuenta en {{address}}.',
    logIn: 'Iniciar sesión',
    cancel: 'Cancelar',
    logOut: 'Cerrar sesión',
    refresh: 'Actualizar',
    retry: 'Reintentar',
    profilesOf: 'Perfiles de {{instance}}',
    loading: 'Cargando tus perfiles…',
    noProfiles: 'Aquí no hay ningún perfil para ti. Pide uno a tu organización.',
    findProfile: 'Buscar un perfil',
    noProfileFound: 'Ningún perfil tiene este nombre.',
    profileInUse: 'En uso',
    profileLast: 'Usado la última vez',
    profileAllTraffic: 'Todo tu tráfico pasa por él',
    profileSomeTraffic: 'Solo pasa por él el tráfico hacia su red',
  },
  messages: {
    title: 'Mensajes',
    from: 'Mensaje de {{instance}}',
    unread: 'Sin leer',
    unreadCount_one: '{{count, number}} mensaje sin leer',
    unreadCount_many: '{{count, number}} de mensajes sin leer',
    unreadCount_other: '{{count, number}} mensajes sin leer',
    refresh: 'Actualizar',
    loading: 'Cargando tus mensajes…',
    noneTitle: 'No hay mensajes',
    noneText: 'Cuando un servicio tenga algo que decirte, como un mantenimiento programado, lo leerás aquí.',
    noInstance: 'Primero añade tu servicio VPN en Conexión. Sus mensajes aparecerán aquí.',
    signedOut: 'Inicia sesión en {{instance}}, en Conexión, para leer sus mensajes.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'Datos del {{time}}: ahora no se puede acceder a {{instance}}.',
  },
  notices: {
    title: 'Antes de continuar',
    dismiss: 'Entendido',
  },
  error: {
    code: 'Código: {{code}}',
    serverSays: 'El servidor dice: {{text}}',
    directive: 'Directiva: {{directive}}',
    endsAt: 'En {{instance}} caduca el {{time}}.',
    endedAt: 'En {{instance}} caducó el {{time}}.',
    versions: 'Versión de la API ofrecida: {{versions}}',
    issuer:
      'El certificado lo ha emitido «{{issuer}}», una autoridad en la que este equipo no confía. Si esa autoridad es de tu organización, pide que añadan su certificado al almacén de certificados de este equipo.',
    clientId: 'ID de cliente usado: {{clientId}}',
    clockAhead: 'El reloj va {{by}} por delante del de {{instance}}.',
    clockBehind: 'El reloj va {{by}} por detrás del de {{instance}}.',
    busy: 'El servicio está saturado.',
    tryAgain: 'Reinténtalo {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'El servicio de organizaciones no ha aceptado el token.',
        todo: 'Comprueba que esté completo y no haya caducado, o pide otro a los administradores del servicio.',
      },
      passwordRefused: {
        what: 'El servicio de organizaciones no ha aceptado el nombre de usuario y la contraseña.',
        todo: 'Comprueba que estén bien escritos e introdúcelos de nuevo.',
      },
      passwordWanted: {
        what: 'El servicio de organizaciones pide aquí un nombre de usuario y una contraseña, no un token.',
        todo: 'Introduce el nombre de usuario y la contraseña que tienes para él.',
      },
      tokenWanted: {
        what: 'El servicio de organizaciones pide aquí un token, no un nombre de usuario y una contraseña.',
        todo: 'Introduce el token que tienes para él.',
      },
    },
    file: 'Archivo: {{path}}',
    boundaryTitle: 'No se puede mostrar esta sección',
    boundaryText: 'Tu conexión no se ve afectada. Reinténtalo y, si vuelve a ocurrir, comunícalo.',
    retry: 'Reintentar',
  },
  desktop,
  errors,
}
