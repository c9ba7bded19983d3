import { execa } from 'execa'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appEnvironment, electronPath, switches, type RunningApp } from './causeway-app'
import { expect, test } from './fixtures'
import { expectTunnel, noTunnel } from './tunnel'

/**
 * Returns whether the window has the keyboard focus. (Minimising needs a window manager, which a virtual display
 * lacks.)
 */
function hasKeyboard({ electron }: RunningApp): Promise<boolean> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null)
}

async function switchOn(
  { window }: RunningApp,
  section: 'General' | 'Connection',
  name: string,
): Promise<void> {
  await window.showSettings(section)
  const control = window.page.getByRole('switch', { name })
  await control.click()
  await expect(control).toBeChecked()
  await window.show('Connection')
}

test('reconnects at the start as soon as possible, without opening a browser', async ({
  launch,
  mock,
  handedOver,
  logIn,
}) => {
  const first = await launch()
  await first.window.addInstance(mock.instance)
  await logIn(first.window)
  await first.window.connect('Office Network')
  const connected = await expectTunnel(first.window, mock)
  await switchOn(first, 'Connection', 'Connect when Causeway starts')
  await first.quit()
  test.skip(!connected, noTunnel)

  await mock.fault('/info.json', { reset: true })
  const second = await launch()
  await second.window.expectWord('Connecting')
  await second.window.expectSentence(/Next attempt at/)
  await mock.control('DELETE', 'faults')
  await second.window.expectWord('Connected')
  await second.window.expectProfile('Office Network')
  await second.window.disconnect()
  // The header offers the profile that was connected last.
  const header = second.window.page.getByRole('region', { name: 'Connection', exact: true })
  await expect(header.getByRole('button', { name: 'Connect: Office Network' })).toBeVisible()
  await second.quit()
  expect(handedOver.count).toBe(1)

  await mock.control('POST', 'tokens/revoke', { kind: 'all' })
  const { window } = await launch()
  await window.expectError('oauth/login-required', 'Sign in')
  await expect(window.logInButton).toBeVisible()
  await window.expectWord("Couldn't connect")
  expect(handedOver.count).toBe(1)
})

test('starts hidden at login, shows the window on a second start, and shows whether it really starts at login', async ({
  launch,
  folder,
  mock,
}) => {
  test.skip(process.platform !== 'linux', 'What starts at login is a file on Linux only')
  const env = { XDG_CONFIG_HOME: join(folder, 'config') }
  const entry = join(folder, 'config', 'autostart', 'causeway.desktop')
  const first = await launch({ env })
  await first.window.addInstance(mock.instance)
  await switchOn(first, 'General', 'Start when you sign in to this computer')
  const [, command = ''] = /^Exec=(.*)$/m.exec(await readFile(entry, 'utf8')) ?? []
  expect(command).toContain('--hidden')
  await first.quit()

  const hidden = await launch({ env: { ...env, CAUSEWAY_HIDDEN: '1' } })
  const startAgain = (...args: readonly string[]) =>
    execa(electronPath, [...switches, '.', ...args], {
      env: appEnvironment({ dataDir: join(folder, 'data'), browser: 'false' }),
      extendEnv: false,
    })
  await startAgain('--hidden')
  expect(await hasKeyboard(hidden)).toBe(false)
  await startAgain()
  await expect.poll(() => hasKeyboard(hidden)).toBe(true)
  expect(hidden.electron.windows()).toHaveLength(1)

  await rm(entry)
  await hidden.electron.evaluate(({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()
    shown?.blur()
    shown?.focus()
  })
  await hidden.window.show('Settings')
  const startsAtLogin = hidden.window.page.getByRole('switch', { name: 'Start when you sign in' })
  await expect(startsAtLogin).not.toBeChecked()
})
