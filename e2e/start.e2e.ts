import { execa } from 'execa'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appEnvironment, electronPath, switches, type RunningApp } from './causeway-app'
import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

/** Whether the person's keys go to the window. Only a window manager minimises, and a virtual display has none. */
function hasKeyboard({ electron }: RunningApp): Promise<boolean> {
  return electron.evaluate(({ BrowserWindow }) => BrowserWindow.getFocusedWindow() !== null)
}

async function switchOn({ window }: Pick<RunningApp, 'window'>, name: string): Promise<void> {
  await window.show('Settings')
  const control = window.page.getByRole('switch', { name })
  await control.click()
  await expect(control).toBeChecked()
  await window.show('Connection')
}

test('connects at the start to what was connected last, as soon as it can, and never opens a browser', async ({
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
  await switchOn(first, 'Connect when Causeway starts')
  await first.quit()
  if (!connected) return

  await mock.fault('/info.json', { reset: true })
  const second = await launch()
  await second.window.expectWord('Connecting')
  await second.window.expectSentence(/Not connected to .* yet\. The next attempt is at/)
  await mock.control('DELETE', 'faults')
  await second.window.expectWord('Connected')
  await expect(second.window.detail('Profile')).toHaveText('Office Network')
  await second.window.disconnect()
  // What was connected last is on top.
  await expect(second.window.page.getByRole('listitem').first()).toContainText('Office Network')
  await expect(second.window.page.getByRole('listitem').first()).toContainText('Last used')
  await second.quit()
  expect(handedOver.count).toBe(1)

  await mock.control('POST', 'tokens/revoke', { kind: 'all' })
  const { window } = await launch()
  await window.expectError('oauth/login-required', 'Log in')
  await expect(window.logInButton).toBeVisible()
  await window.expectWord('Disconnected')
  expect(handedOver.count).toBe(1)
})

test('starts at login out of the way, and a second start brings the window', async ({
  launch,
  folder,
  mock,
}) => {
  const env = { XDG_CONFIG_HOME: join(folder, 'config') }
  const first = await launch({ env })
  await first.window.addInstance(mock.instance)
  await switchOn(first, 'Start when you sign in to this computer')
  const entry = join(folder, 'config', 'autostart', 'causeway.desktop')
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
})

test('the setting to start at login says what is there, not what was once set', async ({
  launch,
  folder,
  mock,
}) => {
  const env = { XDG_CONFIG_HOME: join(folder, 'config') }
  const { window, electron } = await launch({ env })
  await window.addInstance(mock.instance)
  await switchOn({ window }, 'Start when you sign in to this computer')
  await rm(join(folder, 'config', 'autostart', 'causeway.desktop'))
  await electron.evaluate(({ BrowserWindow }) => {
    const [shown] = BrowserWindow.getAllWindows()
    shown?.blur()
    shown?.focus()
  })
  await window.show('Settings')
  await expect(window.page.getByRole('switch', { name: 'Start when you sign in' })).not.toBeChecked()
})
