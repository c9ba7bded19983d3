import type { RunningApp } from './causeway-app'
import { closeWindow, isVisible } from './desktop-fixtures'
import { expect, test as base } from './fixtures'
import { processesWith } from './processes'
import { expectTunnel } from './tunnel'
import { XfceDesktop } from './xfce-desktop'

/** A panel and notifications as people have them. Runs with CAUSEWAY_DESKTOP=1, which the nightly tests set. */
const test = base.extend<{ xfce: XfceDesktop }>({
  xfce: async ({ playwright: _ }, use) => {
    const xfce = await XfceDesktop.start()
    await use(xfce)
    await xfce.end()
  },
})

function isFocused({ electron }: RunningApp): Promise<boolean> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isFocused() ?? false)
}

test('lives in the tray of a panel, and its notifications lead back to the window', async ({
  xfce,
  app,
  loggedIn,
  mock,
}) => {
  // The window manager gives it late, and nobody is told of what the window in front shows.
  await expect.poll(() => isFocused(app)).toBe(true)
  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await expect.poll(() => xfce.shownNotifications()).toBe(1)
  await xfce.chooseNotification()
  await expect.poll(() => isVisible(app)).toBe(true)
  await expect(loggedIn.page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await loggedIn.show('Connection')
  await xfce.closeNotifications()

  await closeWindow(app)
  await expect.poll(() => isVisible(app)).toBe(false)
  await xfce.chooseFromTray(1)
  if (await expectTunnel(loggedIn, mock)) {
    await expect.poll(() => xfce.shownNotifications()).toBe(1)
    await xfce.closeNotifications()
    // In place of Connect.
    await xfce.chooseFromTray(1)
    await loggedIn.expectWord('Not connected')
  }
  await xfce.clickTray()
  await expect.poll(() => isVisible(app)).toBe(true)
})

test('starts hidden in the tray with the session while the setting says so', async ({
  xfce,
  launch,
  folder,
}) => {
  const set = async (on: boolean) => {
    const app = await launch()
    await app.window.showSettings('General')
    const control = app.window.page.getByRole('switch', { name: 'Start when you sign in to this computer' })
    await control.click()
    await expect(control).toBeChecked({ checked: on })
    await app.quit()
    await expect.poll(() => processesWith(folder)).toEqual([])
    await expect.poll(() => xfce.icons()).toBe(0)
  }
  await set(true)
  await xfce.signIn()
  await expect.poll(() => xfce.icons(), { timeout: 30_000 }).toBe(1)
  expect(await xfce.windows('Causeway')).toBe(0)
  await xfce.clickTray()
  await expect.poll(() => xfce.windows('Causeway')).toBe(1)
  await xfce.chooseFromTray(-1)
  await expect.poll(() => processesWith(folder)).toEqual([])

  await set(false)
  await xfce.signIn()
  expect(await processesWith(folder)).toEqual([])
})
