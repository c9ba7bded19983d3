import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { MockControl } from '../app/connecting.testing'
import { createServices, type Services } from '../app/services'
import { BuiltCommand, failingBrowser, type Person } from './causeway.testing'
import { slow } from '../../scripts/slow.testing'

let command: BuiltCommand
let mock: MockServer
let control: MockControl

beforeAll(async () => {
  command = await BuiltCommand.make()
  mock = await startTestMock({ tunnel: 'openvpn', autoApprove: true, api: '2,3' })
  control = new MockControl(mock.control)
})
afterAll(async () => {
  await mock.close()
  await command.remove()
})
beforeEach(() => control.post('/reset'))

const stored = async ({ dataDir }: Person): Promise<string> =>
  readFile(join(dataDir, 'instances.json'), 'utf8')

/** Makes the stored access token an expired one. */
async function expireToken({ dataDir }: Person): Promise<void> {
  const path = join(dataDir, 'secrets.json')
  const content = await readFile(path, 'utf8')
  await writeFile(path, content.replace(/expiresAt\\":\d+/, 'expiresAt\\":0'))
}

/** Logs in, and connects in this process with the person's data directory. */
async function connectedBeside(person: Person): Promise<Services> {
  await person.run(['login'])
  const services = createServices({
    dataDir: person.dataDir,
    secretStore: 'file',
    openBrowser: () => Promise.reject(new Error('not needed')),
    onNotice: () => undefined,
  })
  onTestFinished(() => services.dispose())
  const { id: instanceId } = await services.instances.find(undefined)
  await services.connection.connect({ instanceId, profileId: 'internet' }, { mode: 'handshake-only' })
  return services
}

describe('a portal that offers both versions', () => {
  it('is used with version 3', async () => {
    const person = await command.person()
    await person.json('instance', 'add', mock.instance)
    await control.requests()
    const profiles = await person.json('profile', 'list')
    expect(profiles).toContainEqual(
      expect.objectContaining({ profileId: 'internet', protocols: ['openvpn'] }),
    )
    expect(profiles).toContainEqual(
      expect.objectContaining({ profileId: 'wireguard-only', protocols: ['wireguard'], notSupported: true }),
    )
    expect(await control.requests()).toContain('GET /api/v3/info')
  })

  it('is used with the version that --api sets, which is stored', async () => {
    const person = await command.person()
    expect(await person.json('instance', 'add', mock.instance, '--api', '2')).toMatchObject({ apiVersion: 2 })
    expect(JSON.parse(await stored(person))).toMatchObject({ data: { instances: [{ apiVersion: 2 }] } })
    await person.json('profile', 'list')
    const requests = await control.requests()
    expect(requests).toContain('GET /api/vpn/profile_list')
    expect(requests).not.toContain('GET /.well-known/vpn-user-portal')

    expect(await person.json('instance', 'set', '--api', '3')).toMatchObject({ apiVersion: 3 })
    expect(await person.failure(['profile', 'list', '--no-login'])).toMatchObject({
      status: 3,
      code: 'oauth/login-required',
    })
    await person.json('instance', 'set', '--api', '')
    expect(await stored(person)).not.toContain('apiVersion')
  })

  it('refuses a version that does not exist, or that the portal does not offer', async () => {
    const person = await command.person()
    expect(await person.failure(['instance', 'add', mock.instance, '--api', '4'])).toMatchObject({
      status: 2,
      code: 'usage/invalid-argument',
      details: { argument: 'api' },
    })
    await control.post('/scenarios/api-2-only')
    expect(await person.failure(['instance', 'add', mock.instance, '--api', '3'])).toMatchObject({
      status: 6,
      code: 'discovery/unsupported-version',
      details: { versions: [2], wanted: 3 },
    })
  })
})

describe('version 3 in the terminal', () => {
  it('connects, and tells the portal when it disconnects', async () => {
    const person = await command.person(mock.instance)
    const outcome = await person.run(['connect', 'internet', '--check', '--prefer-tcp'])
    expect(outcome).toMatchObject({ status: 0 })
    expect((await control.requests()).slice(-3)).toEqual([
      'GET /api/v3/info',
      'POST /api/v3/connect',
      'POST /api/v3/disconnect',
    ])
  })

  it.each(['show', 'check', 'renew'])('has no certificates: certificate %s', async (verb) => {
    const person = await command.person(mock.instance)
    expect(await person.failure(['certificate', verb, '--no-login'])).toMatchObject({
      status: 2,
      code: 'certificate/not-managed',
      message: expect.stringContaining('uses API version 3, which has no certificates to manage') as string,
    })
  })

  it('shows the messages of version 2 where the portal has both, also offline and after the token expired', async () => {
    const person = await command.person(mock.instance)
    const messages = (await person.json('message', 'list')) as unknown[]
    expect(messages.length).toBeGreaterThan(0)
    await control.post('/tokens/revoke', { kind: 'access' })
    await control.requests()
    expect(await person.json('message', 'list', '--no-login')).toEqual(messages)
    expect((await control.requests()).filter((request) => !request.includes('vpn-user-portal'))).toEqual([
      'GET /api/vpn/system_messages',
      'POST /oauth/token',
      'GET /api/vpn/system_messages',
    ])
    await control.post('/scenarios/portal-in-maintenance')
    expect(await person.json('message', 'list', '--offline')).toEqual(messages)
  })

  it('keeps its login where version 2 refuses its token', async () => {
    const person = await command.person(mock.instance)
    await person.run(['login'])
    await control.fault('/api/vpn/system_messages', { status: 401 })
    expect(await person.failure(['message', 'list'])).toMatchObject({ status: 5, code: 'vpn-api/refused' })
    expect(await person.run(['profile', 'list', '--no-login'])).toMatchObject({ status: 0 })
  })

  it('has no messages where there is no version 2', async () => {
    await control.post('/scenarios/api-3-only')
    const person = await command.person(mock.instance)
    expect(await person.failure(['message', 'list'])).toMatchObject({
      status: 2,
      code: 'vpn-api/no-messages',
    })
  })

  it('says before it connects that a profile needs another protocol', async () => {
    const person = await command.person(mock.instance)
    expect(await person.failure(['connect', 'wireguard-only', '--check'])).toMatchObject({
      status: 7,
      code: 'wireguard/not-available',
    })
    expect(await control.requests()).not.toContain('POST /api/v3/connect')
  })

  it('renews a login at once', async () => {
    const person = await command.person(mock.instance)
    await control.post('/session', { endsInSeconds: 20 * 60 })
    await person.run(['login'])
    await control.requests()
    expect(await person.run(['login', '--renew'])).toMatchObject({ status: 0 })
    expect(await control.requests()).toContain('POST /oauth/token')
  })

  it('does not replace the login of a tunnel, which its portal could not be told about later', async () => {
    const person = await command.person(mock.instance)
    const services = await connectedBeside(person)
    expect(await person.failure(['login'])).toMatchObject({
      status: 1,
      code: 'connection/held-by-other',
      message: expect.stringContaining('renewing the sign-in would disconnect it') as string,
    })
    await control.requests()
    await services.connection.disconnect()
    expect(await control.requests()).toEqual(['POST /api/v3/disconnect'])
    expect(await person.run(['login'])).toMatchObject({ status: 0 })
  })

  it('tells the portal of the end of another process’s tunnel before a logout deletes the tokens', async () => {
    const person = await command.person(mock.instance)
    const services = await connectedBeside(person)
    await control.requests()
    expect(await person.run(['logout'])).toMatchObject({ status: 0 })
    expect(await control.requests()).toEqual(['POST /api/v3/disconnect'])
    expect(services.connection.state).toMatchObject({ state: 'disconnected' })
    expect(await person.secrets()).not.toContain('accessToken')
  })

  it('does not change the API version of a service to which another process is connected', async () => {
    const person = await command.person(mock.instance)
    const services = await connectedBeside(person)
    for (const args of [
      ['instance', 'set', '--api', '2'],
      ['instance', 'add', mock.instance, '--api', '2'],
    ])
      expect(await person.failure(args)).toMatchObject({ status: 1, code: 'connection/in-use' })
    await control.requests()
    await services.connection.disconnect()
    expect(await control.requests()).toEqual(['POST /api/v3/disconnect'])
    expect(await person.run(['instance', 'set', '--api', '2'])).toMatchObject({ status: 0 })
  })

  it('keeps its login while only the document of version 3 has a server error', async () => {
    const person = await command.person(mock.instance)
    await person.run(['login'])
    await control.post('/scenarios/api-2-only')
    await control.fault('/.well-known/vpn-user-portal', { status: 503 })
    expect(await person.failure(['profile', 'list', '--no-login'])).toMatchObject({
      code: 'discovery/server-error',
      status: 5,
    })
    await control.post('/scenarios/all-well')
    expect(await person.run(['profile', 'list', '--no-login'])).toMatchObject({ status: 0 })
  })

  slow('uses each refresh token once, also with four processes', async () => {
    const person = await command.person(mock.instance)
    await person.run(['login'])
    await expireToken(person)
    await control.requests()
    // Slow enough for all of them to find the token expired.
    await control.fault('/oauth/token', { delayMs: 800 }, 1)
    const list = () => person.run(['profile', 'list', '--no-login'])
    const outcomes = await Promise.all(Array.from({ length: 4 }, list))
    expect(outcomes.map(({ status }) => status)).toEqual([0, 0, 0, 0])
    expect((await control.requests()).filter((request) => request === 'POST /oauth/token')).toHaveLength(1)
    // A spent refresh token would end the login here.
    await expireToken(person)
    expect(await list()).toMatchObject({ status: 0 })
  })
})

it('keeps the instance when its portal moves from version 2 to 3, and asks for one login', async () => {
  await control.post('/scenarios/api-2-only')
  const person = await command.person(mock.instance)
  expect(await person.run(['connect', 'internet', '--check'])).toMatchObject({ status: 0 })
  expect(await person.secrets()).toContain('key-pair:')

  await control.post('/scenarios/portal-moved-to-version-3')
  await control.requests()
  expect(await person.failure(['connect', 'internet', '--check', '--no-login'])).toMatchObject({
    code: 'oauth/login-required',
  })
  expect(await control.requests()).toEqual(['GET /.well-known/vpn-user-portal'])
  expect(await person.run(['connect', 'internet', '--check'])).toMatchObject({ status: 0 })
  const requests = await control.requests()
  expect(requests.filter((request) => request === 'POST /oauth/token')).toHaveLength(1)
  expect(await person.secrets()).not.toContain('key-pair:')
  expect(await person.json('instance', 'list')).toHaveLength(1)
})

describe('a portal with TLS 1.2 only', () => {
  async function oldPortal(
    api: '2,3' | '3',
  ): Promise<{ person: Person; old: MockServer; env: Readonly<Record<string, string>> }> {
    const old = await startTestMock({ autoApprove: true, api, tls: 'generated', oldTls: true })
    onTestFinished(() => old.close())
    const person = await command.person()
    const env = { SSL_CERT_FILE: old.caFile ?? '', CAUSEWAY_BROWSER: failingBrowser }
    expect(await person.run(['instance', 'add', old.instance], { env })).toMatchObject({ status: 0 })
    return { person, old, env }
  }

  slow('is used with version 2 where it offers both', async () => {
    const { person, env } = await oldPortal('2,3')
    // The login goes on up to the browser.
    expect(await person.failure(['login'], { env })).toMatchObject({ code: 'oauth/browser-not-opened' })
    expect(await person.failure(['certificate', 'show'], { env })).toMatchObject({ code: 'certificate/none' })
  })

  it('is refused before the browser opens where it offers version 3 only', async () => {
    const { person, env } = await oldPortal('3')
    expect(await person.failure(['login'], { env })).toMatchObject({ status: 6, code: 'http/tls-too-old' })
  })
})
