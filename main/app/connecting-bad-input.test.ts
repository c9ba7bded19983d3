import { expect, it } from 'vitest'
import { TestClient } from '../../mock-server/test-client'
import { failure, newComputer, runningClients, startMock } from './connecting.testing'

const { mock, control } = await startMock()
const person = new TestClient(mock)
const { accessToken } = await person.logIn()
const profileText = await (await person.call(accessToken, '/profile_config?profile_id=internet')).text()

it.each([
  ['runs a program', (text: string) => `${text}\r\nup /bin/sh`, 'profile-configuration/forbidden-directive'],
  ['loads a plugin', (text: string) => `plugin x.so\r\n${text}`, 'profile-configuration/forbidden-directive'],
  [
    'hides a directive behind quotes',
    (text: string) => `"u\\p" /bin/sh\r\n${text}`,
    'profile-configuration/malformed',
  ],
  [
    'is cut off in its <ca>',
    (text: string) => text.slice(0, text.indexOf('</ca>') - 40),
    'profile-configuration/malformed',
  ],
  [
    'names no server',
    (text: string) => text.replace(/\r\nremote .*/g, ''),
    'profile-configuration/incomplete',
  ],
])('starts nothing when the configuration %s', async (_what, change, code) => {
  await control.fault('/api/vpn/profile_config', { body: change(profileText) })
  const computer = await newComputer(mock.instance)
  expect(await failure(computer.connect())).toMatchObject({ code })
  expect(computer.steps.at(-2)).toBe('preparing')
  expect(runningClients()).toEqual([])
})

it('keeps the key pair and the tokens when the configuration is invalid', async () => {
  await control.fault('/api/vpn/profile_config', { body: `${profileText}\r\nup /bin/sh` }, 1)
  const computer = await newComputer(mock.instance)
  await failure(computer.connect())
  await control.requests()
  await expect(computer.connect()).resolves.toBe('connected')
  expect((await control.requests()).toSorted()).toEqual([
    'GET /api/vpn/check_certificate',
    'GET /api/vpn/profile_config',
  ])
})

it('reports an unknown profile', async () => {
  const computer = await newComputer(mock.instance)
  expect(await failure(computer.connect('nowhere'))).toMatchObject({ code: 'vpn-api/profile-unavailable' })
})

it("includes the service's reason in a refusal", async () => {
  await control.fault('/api/vpn/create_keypair', {
    body: { create_keypair: { ok: false, error: 'no more certificates' } },
  })
  const computer = await newComputer(mock.instance)
  expect(await failure(computer.connect())).toMatchObject({
    code: 'vpn-api/refused',
    details: { error: 'no more certificates' },
  })
})

it('reports a wrong path to OpenVPN', async () => {
  const computer = await newComputer(mock.instance, { openVpnPath: '/nonexistent/openvpn' })
  expect(await failure(computer.connect())).toMatchObject({ code: 'openvpn/not-found' })
})

it('reports an instance that was not added', async () => {
  const { services } = await newComputer(mock.instance)
  const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
  expect(await failure(services.connection.connect(target))).toMatchObject({ code: 'usage/unknown-instance' })
  expect(services.connection.state).toMatchObject({ state: 'failed', target })
})
