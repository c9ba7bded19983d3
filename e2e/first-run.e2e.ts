import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

test('from the first start to a tunnel and back', async ({ window, mock, handedOver, logIn }) => {
  const { page } = window
  expect(page.url()).toMatch(/^app:/)
  await window.addInstance(mock.instance)
  await expect(page.getByRole('heading', { name: mock.host })).toBeVisible()
  await expect(page.getByText('Not logged in')).toBeVisible()

  await logIn(window)
  expect(handedOver.count).toBe(1)
  await expect(page.getByText('Logged in', { exact: true })).toBeVisible()
  await expect(window.profile('Internet Access')).toContainText('All your traffic uses the VPN')
  await expect(window.profile('Office Network')).toContainText('Only traffic to its networks uses the VPN')

  // Long enough to be seen.
  await mock.fault('/api/vpn/profile_config', { delayMs: 1000 })
  await window.connect('Internet Access')
  await window.expectWord('Connecting')
  await window.expectSentence('Getting your certificate and profile…')
  if (!(await expectTunnel(window, mock))) return
  await window.expectSentence("Only traffic to this profile's networks uses the VPN.")
  await expect(window.detail('Profile')).toHaveText('Internet Access')
  await expect(window.detail('Address')).toHaveText(/^10\.88\.\d+\.\d+$/)
  await expect(window.detail('Server')).toHaveText(/^192\.168\.77\.\d+:119[45] \(UDP\)$/)
  await expect(page.getByRole('timer')).toHaveText(/[1-9]/)
  await expect(window.profile('Internet Access')).toContainText('In use')
  // As the card says: the mock leaves the machine's own traffic alone.
  await expect(window.profile('Internet Access')).toContainText('Only traffic to its networks uses the VPN')

  await window.disconnect()
  await window.expectSentence(`The connection to ${mock.host} is closed. Your traffic doesn't use the VPN.`)
  await expect(window.disconnectButton).toHaveCount(0)
})

test('who gives up before there is a tunnel is told that, and not of one', async ({ loggedIn, mock }) => {
  await mock.fault('/api/vpn/profile_config', { delayMs: 60_000 })
  await loggedIn.connect('Office Network')
  await loggedIn.expectWord('Connecting')
  await loggedIn.disconnect()
  await loggedIn.expectSentence(
    `The connection to ${mock.host} was cancelled. Your traffic doesn't use the VPN.`,
  )
})

const before = ['discovering', 'preparing', 'starting']

test('OpenVPN is followed through its phases', async ({ loggedIn, mock }) => {
  const { page } = loggedIn
  await page.evaluate(`
    window.seen = []
    window.causeway.onStateChanged(({ connection }) => {
      if (connection) window.seen.push(connection.phase ?? connection.state)
    })
    undefined`)
  await loggedIn.connect('Office Network')
  const connected = await expectTunnel(loggedIn, mock)
  const seen = new Set(await page.evaluate<string[]>('window.seen'))
  expect([...seen]).toEqual(
    connected
      ? [...before, 'contacting', 'tls', 'authenticating', 'configuring', 'connected']
      : [...before, 'failed'],
  )
})

test('what a service says is shown as text, and nothing of it runs', async ({ loggedIn, mock }) => {
  const { page } = loggedIn
  await loggedIn.show('Messages')
  await expect(page.getByText('Welcome to the <b>mock instance</b>.')).toBeVisible()

  const script = '<script>window.ran = true</script>'
  const image = '<img src="x" onerror="window.ran = true">'
  await mock.control('PUT', 'system-messages', [
    { date_time: '2026-01-02T03:04:05Z', message: `Before ${script} between ${image} after` },
  ])
  await mock.control('PUT', 'profiles', [
    { profile_id: 'internet', display_name: `<i>Internet</i> ${script}` },
  ])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText(`Before ${script} between ${image} after`)).toBeVisible()
  await expect(page.getByRole('main').locator('b, img, script')).toHaveCount(0)
  expect(await page.evaluate('window.ran')).toBeUndefined()
})
