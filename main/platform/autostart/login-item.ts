import { CausewayError } from '../../errors'
import type { SystemSwitch } from '../settings/system-switch'
import { type AppStart, commandAtLogin } from './app-command'

/** Electron's `app`, reduced to login items (macOS and Windows). */
export interface LoginItems {
  getLoginItemSettings(options: { path: string; args: string[] }): {
    readonly openAtLogin: boolean
    /** Windows: false if the user disabled it in the Task Manager. */
    readonly executableWillLaunchAtLogin: boolean
  }
  setLoginItemSettings(settings: { openAtLogin: boolean; path: string; args: string[] }): void
}

/**
 * Starts the app at login through the system's login items. On macOS they take no arguments: there the app checks if it was
 * opened at login, and uses the default data directory.
 */
export function createLoginItem(
  items: LoginItems,
  platform: 'darwin' | 'win32',
  app: AppStart,
): SystemSwitch {
  const [path, ...args] = commandAtLogin(app)
  const item = { path, args: args.map(quoteForWindows) }

  function isOn(): boolean {
    const { openAtLogin, executableWillLaunchAtLogin } = items.getLoginItemSettings(item)
    return openAtLogin && (platform === 'darwin' || executableWillLaunchAtLogin)
  }

  return {
    isOn: () => Promise.resolve(isOn()),
    set: (on) => {
      items.setLoginItemSettings({ ...item, openAtLogin: on })
      if (isOn() === on) return Promise.resolve()
      return Promise.reject(new CausewayError('start-at-login/refused'))
    },
  }
}

/** Quotes an argument, because Electron joins arguments without quoting. */
function quoteForWindows(argument: string): string {
  return /^[\w./:\\-]+$/.test(argument) ? argument : `"${argument.replace(/\\+$/, '$&$&')}"`
}
