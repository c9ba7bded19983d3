import { settingsSchema } from '../contract/settings'
import type { AppState } from '../contract/state'
import { englishTexts } from '../contract/locales/texts'

/** State of main before it knows anything. */
export const emptyState: AppState = {
  wording: { language: 'en', locale: 'en', direction: 'ltr', texts: JSON.stringify(englishTexts) },
  settings: settingsSchema.parse({}),
  killSwitch: { here: 'available', blocks: false },
  instances: [],
  connection: { state: 'idle' },
  notices: [],
  managedSettings: [],
  organizationSearch: { available: false },
  shortcuts: { recent: [], starred: [] },
  inFront: true,
  update: { configured: false, progress: { stage: 'none' } },
  transfers: [],
  deletions: [],
}
