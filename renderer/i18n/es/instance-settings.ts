import type { Translation } from '../translation'

/** The settings of one instance, in Spanish. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Ajustes',
  changeOf: 'Ajustes de {{instance}}',
  title: 'Ajustes de {{instance}}',
  text: 'Deja un campo vacío para usar lo que indica el propio servicio.',
  loading: 'Leyendo los ajustes',
  notOffered: 'El servicio no ofrece ninguna',
  notKnown: 'Ahora no se puede consultar el servicio',
  clientId: 'ID de cliente',
  clientIdText: 'El nombre con el que Causeway inicia sesión. Después de cambiarlo, vuelve a iniciar sesión.',
  attachments: 'Dirección de los adjuntos',
  content: 'Dirección de las noticias',
  organizations: 'Dirección de las organizaciones',
  userId: 'Tu ID de usuario',
  userIdText: 'Para un servicio de adjuntos que no te reconoce por sí mismo.',
  roles: 'Tus roles allí',
  role: {
    ADMINISTRATOR: 'Administrador',
    CONTRIBUTOR: 'Colaborador',
    MEMBER: 'Miembro',
  },
  save: 'Guardar',
  cancel: 'Cancelar',
  saved: 'Guardado.',
  invalid: {
    address:
      'Este valor no es válido. Indica una dirección que empiece por https:// y no contenga nombre de usuario, ? ni #.',
    clientId: 'Este valor no es válido. Indica el ID que el servicio ha registrado, como org.example.app.',
    userId: 'Este valor no es válido. Indica letras, cifras y signos sin espacios, como máximo 255.',
  },
}
