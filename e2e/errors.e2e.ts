import { createServer } from 'node:http'
import { closeServer, listenOnLoopback } from './browser'
import { expect, test } from './fixtures'
import { expectTunnel } from './tunnel'

const { step } = test

/** Returns a loopback address with a port that nobody listens on. */
async function silentHost(): Promise<string> {
  const server = createServer()
  const port = await listenOnLoopback(server)
  await closeServer(server)
  return `http://127.0.0.1:${port}/`
}

test('explains addresses, services and profiles that it cannot use', async ({ window, mock, logIn }) => {
  await step("explains an address that can't be used, and keeps it in the field", async () => {
    const website = createServer((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
    })
    const port = await listenOnLoopback(website)
    const silent = await silentHost()
    try {
      const cases = [
        ['https://name@vpn.example.org/', 'discovery/invalid-address', "This isn't a valid service address."],
        ['http://vpn.example.org:8080/', 'discovery/insecure-address', 'starts with http://'],
        [silent, 'http/unreachable', 'refused the connection'],
        [`http://127.0.0.1:${port}/`, 'discovery/not-found', "There's no VPN service at this address"],
      ] as const
      for (const [address, code, words] of cases) {
        await window.continueWith(address)
        await window.expectError(code, words)
        await expect(window.place).toHaveValue(address)
      }
      for (const path of ['/.well-known/vpn-user-portal', '/info.json'])
        await mock.fault(path, { body: '<html>Log in to this network</html>' })
      await window.continueWith(mock.instance)
      await window.expectError('discovery/not-json', "isn't a VPN service")
    } finally {
      await closeServer(website)
    }
    await mock.control('DELETE', 'faults')
    await window.addInstance(mock.instance)
    await expect(window.logInButton).toBeVisible()
    await expect(window.alerts).toHaveCount(0)
  })

  await step("shows a service's error message", async () => {
    const error = 'your account <b>is</b> disabled'
    await mock.fault('/api/vpn/profile_list', { status: 200, body: { profile_list: { ok: false, error } } })
    await logIn(window)
    await window.expectError('vpn-api/refused', `The server says: ${error}`)
    await expect(window.logInButton).toHaveCount(0)

    await mock.control('DELETE', 'faults')
    await window.page.getByRole('button', { name: 'Try again' }).click()
    await expect(window.profile('Internet Access')).toBeVisible()
    await expect(window.alerts).toHaveCount(0)
  })

  await step('refuses a profile that runs a script', async () => {
    await mock.fault('/api/vpn/profile_config', {
      headers: { 'content-type': 'application/x-openvpn-profile' },
      body: 'dev tun\r\nclient\r\nremote 127.0.0.1 1194 udp\r\nup /bin/sh\r\n',
    })
    await window.connect('Internet Access')
    await window.expectError(
      'profile-configuration/forbidden-directive',
      "The profile asks for something that could harm this computer, so Causeway doesn't use it.",
    )
    await expect(window.alerts).toContainText('Directive: up')
    await window.expectWord("Couldn't connect")
    await mock.control('DELETE', 'faults')
    await window.connect('Internet Access')
    if (await expectTunnel(window, mock)) await window.disconnect()
  })

  await step('explains that a profile no longer exists', async () => {
    await mock.control('PUT', 'profiles', [{ profile_id: 'office', display_name: 'Office Network' }])
    await window.connect('Internet Access')
    await window.expectError('vpn-api/profile-unavailable', 'This profile no longer exists')
  })
})

test('starts without a key store and explains that it is missing', async ({ launch, mock, handedOver }) => {
  const { window } = await launch({
    env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' },
  })
  await window.continueWith(mock.instance)
  await window.expectError('secret-store/unavailable', 'This computer has no key store')
  // No browser opens for a login that couldn't be stored.
  expect(handedOver.count).toBe(0)
})
