import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

test('connects from the first start, and disconnects', async ({ window, mock, handedOver, logIn }) => {
  const { page } = window
  expect(page.url()).toMatch(/^app:/)
  await window.addInstance(mock.instance)
  await expect(page.getByRole('heading', { name: mock.host })).toBeVisible()
  await expect(page.getByText('Not logged in')).toBeVisible()

  await logIn(window)
  expect(handedOver.count).toBe(1)
  await expect(window.logOutButton).toBeVisible()
  await expect(window.profile('Internet Access')).toContainText('all traffic')
  await expect(window.profile('Office Network')).toContainText("organization's networks only")

  // Delay the state so that it can be observed.
  await mock.fault('/api/vpn/profile_config', { delayMs: 1000 })
  await window.connect('Internet Access')
  await window.expectWord('Connecting')
  await window.expectSentence('Getting your configuration…')
  if (!(await expectTunnel(window, mock))) return
  // The mock server leaves the machine's own traffic alone.
  await window.expectSentence(
    'Through the VPN: only some networks. This profile should carry all your traffic',
  )
  await window.expectProfile('Internet Access')
  await window.openDetails()
  await expect(window.detail('Address')).toHaveText(/^10\.88\.\d+\.\d+$/)
  await expect(window.detail('Server')).toHaveText(/^192\.168\.77\.\d+:119[45] \(UDP\)$/)
  await expect(page.getByRole('timer')).toHaveText(/[1-9]/)
  await expect(window.profile('Internet Access')).toContainText('Active')

  await window.disconnect()
  await window.expectSentence(`The connection to ${mock.host} is closed. Your traffic doesn't use the VPN.`)
  await expect(window.disconnectButton).toHaveCount(0)
})

test('says after a cancelled attempt that it was cancelled', async ({ loggedIn, mock }) => {
  await mock.fault('/api/vpn/profile_config', { delayMs: 60_000 })
  await loggedIn.connect('Office Network')
  await loggedIn.expectWord('Connecting')
  await loggedIn.disconnect()
  await loggedIn.expectSentence(
    `The connection to ${mock.host} was cancelled. Your traffic doesn't use the VPN.`,
  )
})

const before = ['discovering', 'preparing', 'starting']

test('follows OpenVPN through its phases', async ({ loggedIn, mock }) => {
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

test('shows texts of a service without running anything in them', async ({ loggedIn, mock }) => {
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
