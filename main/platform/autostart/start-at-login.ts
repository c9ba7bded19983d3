import { join } from 'node:path'
import { configHome, dataDirectory } from '../storage/data-directory'
import type { SystemSwitch } from '../settings/system-switch'
import type { Program } from './app-program'
import { createLoginItem, type LoginItems } from './login-item'
import { createXdgAutostart, onlyInWindow } from './xdg-autostart'

/** The setting `startAtLogin`, stored by the system (docs/start.md). */
export function createStartAtLogin(options: {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** Absolute path. */
  readonly dataDir: string
  readonly secretStore: 'os' | 'file'
  /** Returns undefined if the app's location is unknown. */
  readonly program: () => Promise<Program | undefined>
  /** Electron's login items for macOS and Windows; only the app has them. */
  readonly loginItems?: { readonly items: LoginItems; readonly program: Program }
}): SystemSwitch {
  const { platform, env, home, dataDir, secretStore, program, loginItems } = options
  const app = { dataDir, defaultDataDir: dataDirectory({ platform, env, home }), secretStore }
  if (platform !== 'darwin' && platform !== 'win32') {
    const path = join(configHome(env, home), 'autostart', 'causeway.desktop')
    return createXdgAutostart({ path, app, program })
  }
  if (loginItems === undefined) return onlyInWindow
  return createLoginItem(loginItems.items, platform, { ...app, program: loginItems.program })
}
