import { DesktopBus } from './desktop-bus'
import type { RunningApp } from './causeway-app'
import { test as base } from './fixtures'

/** On a desktop that shows notifications, and has a tray unless it is told otherwise; it is there before the app is. */
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

/** As with the window's own cross. */
export async function closeWindow({ electron }: RunningApp): Promise<void> {
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.close()
  })
}

/** The person is at another window now. */
export async function lookAway({ electron }: RunningApp): Promise<void> {
  await electron.evaluate(({ BrowserWindow }) => {
    BrowserWindow.getAllWindows()[0]?.blur()
  })
}

export function isVisible({ electron }: RunningApp): Promise<boolean> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible() ?? false)
}
