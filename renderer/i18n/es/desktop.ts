import type { Translation } from '../translation'

/** What is outside of the window, in Spanish: notifications of the desktop. */
export const desktop: Translation['desktop'] = {
  expiry: {
    soon: 'Tu sesión caduca pronto: {{time}}',
    over: 'Tu sesión ha caducado',
    todo: 'Haz clic para renovarla en Causeway: {{instance}}',
  },
}
