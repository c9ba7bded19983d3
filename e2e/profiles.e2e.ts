import { expect, test } from './fixtures'
import { openVpnOf } from './processes'
import { expectTunnel } from './tunnel'

const { step } = test

test('switches between profiles, shows new ones, and names them in the language of the user', async ({
  launch,
  mock,
  logIn,
}) => {
  const app = await launch({ language: 'system' })
  const { window } = app
  const { page } = window
  await window.addInstance(mock.instance)
  await logIn(window)

  await window.connect('Internet Access')
  if (await expectTunnel(window, mock)) {
    await step('switches to another profile in one step', async () => {
      const [before] = await openVpnOf(app.pid)
      await window.connect('Office Network')
      await window.expectProfile('Office Network')
      await window.expectWord('Connected')
      await expect(window.profile('Office Network')).toContainText('Active')
      await expect(window.profile('Internet Access').getByRole('button', { name: 'Connect' })).toBeVisible()
      const after = await openVpnOf(app.pid)
      expect(after).toHaveLength(1)
      expect(after).not.toContain(before)
      // All profiles of an instance share one key pair.
      expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(1)
      await window.disconnect()
    })
  }

  await step("shows names in the user's language", async () => {
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
    await page.evaluate("causeway.run('setSetting', { name: 'language', value: 'en' })")
    await window.show('Connection')
  })

  await step('shows new profiles on request, and when the user returns after a while', async () => {
    const offer = (...names: string[]): Promise<unknown> =>
      mock.control(
        'PUT',
        'profiles',
        names.map((name) => ({ profile_id: name.toLowerCase(), display_name: name })),
      )
    const comeBack = (minutesLater: number): Promise<void> =>
      app.electron.evaluate(({ BrowserWindow }, minutes) => {
        const now = Date.now()
        Date.now = () => now + minutes * 60_000
        BrowserWindow.getAllWindows()[0]?.emit('focus')
      }, minutesLater)
    await offer('Laboratory', 'Library')
    await window.choose('Refresh')
    await expect(window.profile('Laboratory')).toBeVisible()

    await offer('Laboratory', 'Observatory')
    const asked = await mock.count('GET', '/api/vpn/profile_list')
    await comeBack(1)
    await expect(window.profile('Library')).toBeVisible()
    expect(await mock.count('GET', '/api/vpn/profile_list')).toBe(asked)
    await comeBack(11)
    await expect(window.profile('Observatory')).toBeVisible()
    await expect(window.profile('Library')).toHaveCount(0)
  })
})
