import { settingsSchema } from '../contract/settings'
import type { AppState } from '../contract/state'
import { englishTexts as texts } from '../contract/locales/texts'

/** Main's state before anything is known. */
export const emptyState: AppState = {
  wording: { language: 'en', locale: 'en', direction: 'ltr', texts },
  settings: settingsSchema.parse({}),
  killSwitch: { here: 'available', blocks: false },
  instances: [],
  connection: { state: 'idle' },
  notices: [],
  shown: {},
  inFront: true,
  transfers: [],
  deletions: [],
}
