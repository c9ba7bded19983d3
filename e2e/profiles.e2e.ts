import { expect, test } from './fixtures'
import { openVpnOf } from './processes'
import { expectTunnel } from './tunnel'

test('switches to another profile in one step', async ({ app, loggedIn, mock }) => {
  await loggedIn.connect('Internet Access')
  if (!(await expectTunnel(loggedIn, mock))) return
  const [before] = await openVpnOf(app.pid)

  await loggedIn.connect('Office Network')
  await loggedIn.expectProfile('Office Network')
  await loggedIn.expectWord('Connected')
  await expect(loggedIn.profile('Office Network')).toContainText('Active')
  await expect(loggedIn.profile('Internet Access').getByRole('button', { name: 'Connect' })).toBeVisible()
  const after = await openVpnOf(app.pid)
  expect(after).toHaveLength(1)
  expect(after).not.toContain(before)
  // All profiles of an instance share one key pair.
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(1)
})

test('shows new profiles on request, and when the user returns after a while', async ({
  app,
  loggedIn,
  mock,
}) => {
  const offer = (...names: string[]): Promise<unknown> =>
    mock.control(
      'PUT',
      'profiles',
      names.map((name) => ({ profile_id: name.toLowerCase(), display_name: name })),
    )
  const comeBack = (minutesLater: number): Promise<void> =>
    app.electron.evaluate(({ BrowserWindow }, minutes) => {
      const now = performance.now()
      performance.now = () => now + minutes * 60_000
      BrowserWindow.getAllWindows()[0]?.emit('focus')
    }, minutesLater)
  await offer('Laboratory', 'Library')
  await loggedIn.page.getByRole('button', { name: 'Refresh' }).click()
  await expect(loggedIn.profile('Laboratory')).toBeVisible()

  await offer('Laboratory', 'Observatory')
  const asked = await mock.count('GET', '/api/vpn/profile_list')
  await comeBack(1)
  await expect(loggedIn.profile('Library')).toBeVisible()
  expect(await mock.count('GET', '/api/vpn/profile_list')).toBe(asked)
  await comeBack(11)
  await expect(loggedIn.profile('Observatory')).toBeVisible()
  await expect(loggedIn.profile('Library')).toHaveCount(0)
})

test("shows names in the user's language", async ({ launch, mock, logIn }) => {
  const { window } = await launch({ language: 'system' })
  const { page } = window
  await window.addInstance(mock.instance)
  await logIn(window)
  await expect(window.profile('Internet Access')).toBeVisible()

  await window.show('Settings')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Nederlands')
  await expect(page.getByRole('heading', { name: 'Instellingen' })).toBeVisible()
  await page.getByRole('link', { name: 'Verbinding' }).click()
  const profile = window.profile('Internettoegang')
  await expect(profile.getByRole('button', { name: 'Verbinden: Internettoegang' })).toBeVisible()
  // A plain string is the same in every language.
  await expect(window.profile('Office Network')).toBeVisible()
  await page.getByRole('link', { name: 'Berichten' }).click()
  await expect(page.getByText('Het kantoornetwerk heeft een nieuw adresbereik.')).toBeVisible()
})
