import { createServer } from 'node:http'
import { closeServer, listenOnLoopback } from './browser'
import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

/** A host on this machine of which nothing listens on the port. */
async function silentHost(): Promise<string> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await closeServer(server)
  return `http://127.0.0.1:${port}/`
}

test('an address that leads nowhere is said in words, and stays to be mended', async ({ window, mock }) => {
  const website = createServer((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
  })
  const port = await listenOnLoopback(website)
  const silent = await silentHost()
  const field = window.page.getByRole('textbox', { name: 'Address' })
  try {
    const cases = [
      ['', 'discovery/invalid-address', "This isn't a valid service address."],
      ['not an address', 'discovery/invalid-address', "This isn't a valid service address."],
      ['http://vpn.example.org/', 'discovery/insecure-address', 'starts with http://'],
      ['javascript:alert(1)', 'discovery/invalid-address', "This isn't a valid service address."],
      [silent, 'http/unreachable', "The server couldn't be reached."],
      [`http://127.0.0.1:${port}/`, 'discovery/not-found', "There's no VPN service at this address."],
    ] as const
    for (const [address, code, words] of cases) {
      await window.addInstance(address)
      await window.expectError(code, words)
      await expect(field).toHaveValue(address)
    }
    await mock.fault('/info.json', { body: '<html>Log in to this network</html>' })
    await window.addInstance(mock.instance)
    await window.expectError('discovery/not-json', "isn't a VPN service")
  } finally {
    await closeServer(website)
  }

  await mock.control('DELETE', 'faults')
  await window.addInstance(mock.instance)
  await expect(window.logInButton).toBeVisible()
  await expect(window.alerts).toHaveCount(0)
})

test('a refusal of the service is shown with its words, and its profiles come when it gives them', async ({
  window,
  mock,
  logIn,
}) => {
  const error = 'your account <b>is</b> disabled'
  await mock.fault('/api/vpn/profile_list', { status: 200, body: { profile_list: { ok: false, error } } })
  await window.addInstance(mock.instance)
  await logIn(window)
  await window.expectError('vpn-api/refused', `The server says: ${error}`)
  await expect(window.logOutButton).toBeVisible()

  await mock.control('DELETE', 'faults')
  await window.page.getByRole('button', { name: 'Try again' }).click()
  await expect(window.profile('Internet Access')).toBeVisible()
  await expect(window.alerts).toHaveCount(0)
})

test('a profile that asks for a script is not used', async ({ loggedIn, mock }) => {
  await mock.fault('/api/vpn/profile_config', {
    headers: { 'content-type': 'application/x-openvpn-profile' },
    body: 'dev tun\r\nclient\r\nremote 127.0.0.1 1194 udp\r\nup /bin/sh\r\n',
  })
  await loggedIn.connect('Internet Access')
  await loggedIn.expectError(
    'profile-configuration/forbidden-directive',
    "The profile asks for something that could harm this computer, so Causeway doesn't use it.",
  )
  await expect(loggedIn.alerts).toContainText('Directive: up')
  await loggedIn.expectWord('Disconnected')

  await mock.control('DELETE', 'faults')
  await loggedIn.connect('Internet Access')
  await expectTunnel(loggedIn, mock)
})

test('a profile that is gone meanwhile is said to be', async ({ loggedIn, mock }) => {
  await expect(loggedIn.profile('Internet Access')).toBeVisible()
  await mock.control('PUT', 'profiles', [{ profile_id: 'office', display_name: 'Office Network' }])
  await loggedIn.connect('Internet Access')
  await loggedIn.expectError('vpn-api/profile-unavailable', 'This profile no longer exists')
})

test('an OpenVPN that is not there is named', async ({ launch, mock, logIn }) => {
  const { window } = await launch({ env: { CAUSEWAY_OPENVPN: '/nonexistent/openvpn' } })
  await window.addInstance(mock.instance)
  await logIn(window)
  await window.connect('Internet Access')
  await window.expectError('openvpn/not-found', "OpenVPN isn't installed, or Causeway can't find it.")
})

test('without a key store the app starts and says what is missing', async ({ launch, mock, handedOver }) => {
  const { window } = await launch({
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
  })
  await window.addInstance(mock.instance)
  await window.expectError('secret-store/unavailable', 'This computer has no key store')
  // Nobody should approve in the browser what could not be kept afterwards.
  expect(handedOver.count).toBe(0)
})
