import type { Translation } from '../translation'

/** What is outside of the window: notifications of the desktop. */
export const desktop: Translation['desktop'] = {
  expiry: {
    soon: 'Die Anmeldung endet um {{time}}',
    over: 'Die Anmeldung ist abgelaufen',
    todo: 'Klicken, um sie in Causeway zu erneuern: {{instance}}',
  },
}
