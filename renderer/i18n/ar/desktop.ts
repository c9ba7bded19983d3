import type { Translation } from '../translation'

/** What is outside of the window: notifications of the desktop. */
export const desktop: Translation['desktop'] = {
  expiry: {
    soon: 'تنتهي جلستك في {{time}}',
    over: 'انتهت جلستك',
    todo: 'انقر لتجديدها في Causeway: ⁨{{instance}}⁩',
  },
}
