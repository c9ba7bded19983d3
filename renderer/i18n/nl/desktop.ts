import type { Translation } from '../translation'

/** Wat buiten het venster staat: meldingen van het bureaublad. */
export const desktop: Translation['desktop'] = {
  expiry: {
    soon: 'Je login loopt om {{time}} af',
    over: 'Je login is afgelopen',
    todo: 'Klik om hem in Causeway te vernieuwen: {{instance}}',
  },
}
