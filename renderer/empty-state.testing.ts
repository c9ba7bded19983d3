import type { AppState } from '../contract/state'
import { texts } from './i18n/en/texts'

/** Main's state before anything is known. */
export const emptyState: AppState = {
  wording: { language: 'en', locale: 'en', direction: 'ltr', texts },
  settings: {
    language: 'system',
    theme: 'system',
    remoteStrategy: 1,
    preferTcp: false,
    reconnect: true,
    killSwitch: false,
    autoConnect: false,
    startAtLogin: false,
    openvpnPath: '',
    connectionDetails: false,
    closeToTray: true,
    notifications: true,
  },
  killSwitch: { here: 'available', blocks: false },
  instances: [],
  connection: { state: 'idle' },
  notices: [],
  shown: {},
  inFront: true,
  transfers: [],
  deletions: [],
}
