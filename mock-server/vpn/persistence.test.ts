import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../server'
import { TestClient } from '../test-client'
import { handshakeOnly, TestOpenVpn } from './tunnel/openvpn.testing'

let dataDir: string
let server: MockServer | undefined
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'causeway-mock-test-'))
})
afterEach(async () => {
  await server?.close()
  server = undefined
  rmSync(dataDir, { recursive: true, force: true })
})

/** Starts a mock on the directory, and stops the previous one. */
async function restart(options: MockServerOptions = {}): Promise<TestClient> {
  await server?.close()
  server = await createMockServer({ autoApprove: true, dataDir, ...options })
  return new TestClient(server)
}

it('keeps logins and revocations across a restart', async () => {
  const before = await restart()
  const revoked = await before.logIn()
  await before.control('POST', '/tokens/revoke', { kind: 'access' })
  const { accessToken, refreshToken } = await before.logIn()
  const pair = await before.createKeyPair(accessToken)
  const lost = await before.createKeyPair(accessToken)
  await before.control('POST', '/certificates/revoke', { commonName: commonName(lost.certificate) })
  const unused = await before.codeForm()
  const used = await before.codeForm()
  await before.postForm('/oauth/token', used)
  const config = await before.profileConfig(accessToken, 'profile_id=office&remote_strategy=2')
  await before.control('PUT', '/profiles', [{ profile_id: 'kept', display_name: 'Kept' }])

  const after = await restart()
  expect(await after.data(accessToken, 'profile_list')).toMatchObject([{ profile_id: 'kept' }])
  expect((await after.call(revoked.accessToken, '/profile_list')).status).toBe(401)
  expect((await after.refresh(refreshToken)).status).toBe(200)
  expect((await after.refresh(revoked.refreshToken)).status).toBe(200)
  expect(await after.check(accessToken, pair)).toEqual({ is_valid: true })
  expect(await after.check(accessToken, lost)).toEqual({ is_valid: false, reason: 'certificate_missing' })
  expect((await after.postForm('/oauth/token', unused)).status).toBe(200)
  expect((await after.postForm('/oauth/token', used)).status).toBe(400)
  await after.control('POST', '/reset')
  const again = (await after.logIn()).accessToken
  expect(await after.profileConfig(again, 'profile_id=office&remote_strategy=2')).toBe(config)
})

it('lets OpenVPN accept a certificate and configuration from before the restart, and refuse a revoked certificate', async () => {
  const before = await restart({ tunnel: 'openvpn' })
  const { accessToken } = await before.logIn()
  const pair = await before.createKeyPair(accessToken)
  const lost = await before.createKeyPair(accessToken)
  await before.control('POST', '/certificates/revoke', { commonName: commonName(lost.certificate) })
  const secrets = (config: string) => config.replaceAll(/\r\nremote .*/g, '')
  const config = await before.profileConfig(accessToken, 'profile_id=office')

  const after = await restart({ tunnel: 'openvpn' })
  const now = await after.profileConfig(accessToken, 'profile_id=office')
  expect(secrets(now)).toBe(secrets(config))
  const overTcp = now.replaceAll(/\r\nremote .* udp/g, '')
  const known = new TestOpenVpn(overTcp, pair, handshakeOnly)
  const isConnected = await known.isConnected()
  await known.stop()
  expect(isConnected, known.log.join('\n')).toBe(true)
  const refused = new TestOpenVpn(overTcp, lost, [...handshakeOnly, '--connect-retry-max', '1'])
  expect(await refused.isConnected()).toBe(false)
  await refused.stop()
})

it('forgets scenarios on restart', async () => {
  const before = await restart()
  const { accessToken } = await before.logIn()
  const pair = await before.createKeyPair(accessToken)
  await before.scenario('session-over')
  expect((await before.call(accessToken, '/profile_list')).status).toBe(401)
  const after = await restart()
  expect(await after.check(accessToken, pair)).toEqual({ is_valid: true })
})

function commonName(certificate: string): string {
  return new X509Certificate(certificate).subject.replace('CN=', '')
}

it('moves the clock of a scenario back on restart, and no other', async () => {
  const day = 86_400_000
  const options = { clock: { now: () => new Date('2026-11-20T12:00:00Z') } }
  const daysAhead = async (client: TestClient) =>
    (Date.parse((await client.get('/api/org')).headers.get('date') ?? '') - options.clock.now().getTime()) /
    day
  await restart(options)
  await server?.scenario('wrong-clock-ahead')
  let client = await restart(options)
  expect(await daysAhead(client)).toBe(0)
  await client.control('POST', '/clock', { advanceSeconds: 5 * 86_400 })
  await server?.scenario('wrong-clock-ahead')
  client = await restart(options)
  expect(await daysAhead(client)).toBe(5)
  await server?.scenario('wrong-clock-ahead')
  await client.control('POST', '/clock', { advanceSeconds: 86_400 })
  client = await restart(options)
  expect(await daysAhead(client)).toBe(8)
})
