import { DesktopBus } from './desktop-bus'
import type { RunningApp } from './causeway-app'
import { test as base } from './fixtures'

/** Starts a desktop with notifications and, by default, a tray before the app. */
export const test = base.extend<{ hasTray: boolean; desktop: DesktopBus }>({
  hasTray: [true, { option: true }],
  desktop: [
    async ({ hasTray }, use) => {
      const desktop = await DesktopBus.start({ tray: hasTray })
      await use(desktop)
      desktop.close()
    },
    { auto: true },
  ],
})

/** Closes the window with its close button, after the call has returned: closing may quit the app. */
export async function closeWindow({ electron }: RunningApp): Promise<void> {
  await electron.evaluate(({ BrowserWindow }) => {
    setImmediate(() => BrowserWindow.getAllWindows()[0]?.close())
  })
}

/** Moves the focus to another window. */
export async function lookAway({ electron }: RunningApp): Promise<void> {
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.blur()
  })
}

export function isVisible({ electron }: RunningApp): Promise<boolean> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false)
}
