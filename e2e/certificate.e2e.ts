import { expect, test } from './fixtures'
import { expectTunnel, noTunnel } from './tunnel'

test('replaces a certificate once, without asking, if the instance deleted it or only the VPN server rejects it', async ({
  loggedIn,
  mock,
  handedOver,
}) => {
  expect(await loggedIn.run('setSetting', { name: 'preferTcp', value: 'true' })).toMatchObject({ ok: true })
  await loggedIn.connect('Internet Access')
  const connected = await expectTunnel(loggedIn, mock)
  if (connected) await loggedIn.disconnect()
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(1)

  await mock.control('POST', 'certificates/revoke', {})
  await loggedIn.connect('Internet Access')
  await expectTunnel(loggedIn, mock)
  expect(await mock.count('GET', '/api/vpn/check_certificate')).toBe(1)
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(2)
  expect(handedOver.count).toBe(1)
  // Without a tunnel, the VPN server's answer isn't reached.
  test.skip(!connected, noTunnel)
  await loggedIn.disconnect()

  await mock.control('POST', 'certificates/revoke', { refusedIn: 'handshake' })
  await mock.fault('/api/vpn/check_certificate', {
    status: 200,
    body: { check_certificate: { ok: true, data: { is_valid: true } } },
  })
  await loggedIn.connect('Internet Access')
  await expectTunnel(loggedIn, mock)
  await loggedIn.openDetails()
  await expect(loggedIn.detail('Server')).toHaveText(/\(TCP\)$/)
  expect(await mock.count('POST', '/api/vpn/create_keypair')).toBe(3)
  expect(handedOver.count).toBe(1)
})
