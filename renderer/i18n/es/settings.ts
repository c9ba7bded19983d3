import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

/** The texts of the settings, in Spanish. */
export const settings: Translation['settings'] = {
  title: 'Ajustes',
  general: 'General',
  language: 'Idioma',
  languageText:
    'Para todos los textos de Causeway. Los de un servicio aparecen en este idioma si el servicio los ofrece.',
  languageSystem: 'Como en el sistema',
  theme: 'Tema',
  themeText: 'Claro, oscuro o como en tu sistema.',
  themeSystem: 'Como en el sistema',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  connection: 'Conexión',
  reconnect: {
    label: 'Reconexión automática',
    text: 'Restablece un túnel perdido, también en otra red y después de una suspensión.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Bloquea todo el tráfico mientras el túnel está caído, para que nada salga fuera de él. Termina cuando te desconectas o pulsas «Permitir tráfico». Se aplica a la próxima conexión.',
    missing: {
      'no-helper':
        'Necesita el componente auxiliar de Causeway: ejecuta «causeway helper install» en un terminal.',
      'no-nft': 'Necesita nftables, que no está instalado en este equipo.',
      'not-on-this-system': 'Causeway no lo tiene en este sistema.',
    },
  },
  remoteStrategy: {
    label: 'Servidores que se prueban',
    text: 'Qué servidores y puertos de un perfil se solicitan.',
    first: 'El primer puerto de cada tipo',
    random: 'Un puerto al azar de cada tipo',
    all: 'Todos',
  },
  preferTcp: {
    label: 'Usar solo TCP',
    text: 'Para redes que no dejan pasar UDP. Es más lento y no funciona si un perfil no tiene servidor TCP.',
  },
  autoConnect: {
    label: 'Conectar al iniciar Causeway',
    text: 'Vuelve al último perfil que usaste. Si antes tienes que iniciar sesión, te avisa.',
  },
  startAtLogin: {
    label: 'Iniciar al entrar en este equipo',
    text: 'Causeway se inicia en la bandeja del sistema, o minimizado si no la hay.',
  },
  closeToTray: {
    label: 'Seguir activo al cerrar la ventana',
    text: 'Causeway permanece en la bandeja del sistema con tu conexión, si tu escritorio tiene una. «Salir», en su menú, lo cierra.',
  },
  notifications: {
    label: 'Notificaciones',
    text: 'Te avisan de lo que ocurre mientras haces otra cosa: conexión establecida o perdida, una sesión que caduca, mensajes nuevos.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'El programa que crea el túnel.',
    detected: 'Se detecta automáticamente',
    choose: 'Elegir…',
    detect: 'Detectar automáticamente',
  },
  instances: 'Servicios VPN',
  noInstances: 'Todavía no hay ninguno. Añade uno en Conexión.',
  remove: 'Quitar',
  removeQuestion: '¿Quitar {{instance}}? Su sesión y su clave se borran de este equipo.',
  removeConfirm: 'Quitar {{instance}}',
  keep: 'Conservar',
  instance: instanceSettings,
  support: 'Soporte',
  supportText:
    'Para quienes te ayudan: versiones, ajustes, lo que falta aquí y el final del registro. No incluye contraseñas, claves, direcciones de red ni tu nombre.',
  supportCopy: 'Copiar para soporte',
  supportCopied: 'Copiado. Pégalo en el mensaje que les envíes.',
}
