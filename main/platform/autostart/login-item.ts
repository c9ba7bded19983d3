import { CausewayError } from '../../errors'
import type { SystemSwitch } from '../settings/system-switch'
import { type AppStart, commandAtLogin } from './app-command'

/** Electron's `app`, as far as it concerns login items (macOS and Windows). */
export interface LoginItems {
  getLoginItemSettings(options: { path: string; args: string[] }): {
    readonly openAtLogin: boolean
    /** Windows: false where the user has switched it off in the Task Manager. */
    readonly executableWillLaunchAtLogin: boolean
  }
  setLoginItemSettings(settings: { openAtLogin: boolean; path: string; args: string[] }): void
}

/**
 * Starting at login by the login items of the system. On macOS they take no arguments: there the app asks whether it was
 * opened at login, and has its own data directory only.
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
      return Promise.reject(
        new CausewayError(
          'start-at-login/refused',
          'Your system refused this change. In your system settings, find Causeway among the login items and allow it.',
        ),
      )
    },
  }
}

/** Electron puts the arguments into one line as they are. */
function quoteForWindows(argument: string): string {
  return /^[\w./:\\-]+$/.test(argument) ? argument : `"${argument.replace(/\\+$/, '$&$&')}"`
}
