import { expect, test } from './fixtures'
import { openVpnOf } from './processes'
import { expectTunnel } from './tunnel'

test('another profile takes the place of the one in use in one step', async ({ app, loggedIn, mock }) => {
  await loggedIn.connect('Internet Access')
  if (!(await expectTunnel(loggedIn, mock))) return
  const [before] = await openVpnOf(app.pid)

  await loggedIn.connect('Office Network')
  await expect(loggedIn.detail('Profile')).toHaveText('Office Network')
  await loggedIn.expectWord('Connected')
  await expect(loggedIn.profile('Office Network')).toContainText('In use')
  await expect(loggedIn.profile('Internet Access').getByRole('button', { name: 'Connect' })).toBeVisible()
  const after = await openVpnOf(app.pid)
  expect(after).toHaveLength(1)
  expect(after).not.toContain(before)
  // One key pair serves every profile of the instance.
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(1)
})

test('names come in the language that the person chose', async ({ launch, mock, logIn }) => {
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
  await expect(profile.getByRole('button', { name: 'Verbinden' })).toBeVisible()
  // A plain text is the same in every language.
  await expect(window.profile('Office Network')).toBeVisible()
  await page.getByRole('link', { name: 'Berichten' }).click()
  await expect(page.getByText('Het kantoornetwerk heeft een nieuw adresbereik.')).toBeVisible()
})
