import { basename } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest'
import type { MockServer } from '../../mock-server/server'
import { startTestMock } from '../../mock-server/test-authority'
import { filesBelow } from '../../scripts/files-below'
import { expiryAt } from '../connection/expiry'
import type { OpenBrowser } from '../portal/oauth/token-session'
import {
  approve,
  type Computer,
  failure,
  MockControl,
  newComputer,
  profileText,
  runningClients,
} from './connecting.testing'
import { createServices } from './services'
import { rows } from '../../scripts/slow.testing'

let mock: MockServer
let control: MockControl

beforeAll(async () => {
  mock = await startTestMock({ tunnel: 'openvpn', autoApprove: true, api: '3' })
  control = new MockControl(mock.control)
})
afterAll(() => mock.close())
beforeEach(() => control.post('/reset'))

const login = ['GET /oauth/authorize', 'GET /oauth/authorize', 'POST /oauth/token']
const info = 'GET /api/v3/info'
const connect = 'POST /api/v3/connect'
const disconnect = 'POST /api/v3/disconnect'

/** Returns a connected computer whose earlier requests are not counted. */
async function connectedComputer(options?: Parameters<typeof newComputer>[1]): Promise<Computer> {
  const computer = await newComputer(mock.instance, options)
  await computer.connect()
  await control.requests()
  computer.steps.length = 0
  return computer
}

describe('a connection with version 3', () => {
  it('goes from an address to a handshake with a real server, and back, with the requests it needs', async () => {
    const computer = await newComputer(mock.instance)
    await expect(computer.connect()).resolves.toBe('connected')
    const { connection } = computer.services
    expect(connection.state).toMatchObject({
      state: 'connected',
      target: computer.target(),
      addresses: { ipv4: expect.any(String) as unknown },
      cipher: 'AES-256-GCM',
    })
    await connection.disconnect()
    expect(await control.requests()).toEqual([
      'GET /.well-known/vpn-user-portal',
      ...login,
      info,
      connect,
      disconnect,
    ])
    expect(runningClients()).toEqual([])

    await computer.connect()
    expect(await control.requests()).toEqual([info, connect])
    expect(computer.logins()).toBe(1)
  })

  it('uses TCP if that is preferred', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', { preferTcp: true })
    expect(computer.services.connection.state).toMatchObject({ remote: { protocol: 'tcp' } })
  })

  it('stores tokens and session with their version, and never the configuration', async () => {
    const { dataDir } = await connectedComputer()
    const files = await filesBelow(dataDir)
    expect(files.map(({ content }) => String(content)).join()).not.toMatch(/PRIVATE KEY|BEGIN CERTIFICATE/)
    const secrets = files.find(({ path }) => basename(path) === 'secrets.json')
    expect(String(secrets?.content).match(/apiVersion\\":3/g)).toHaveLength(2)
  })
})

describe('disconnecting', () => {
  it('sends /disconnect after the tunnel has ended, and waits no longer than five seconds for the answer', async () => {
    const computer = await connectedComputer()
    await control.fault('/api/v3/disconnect', { delayMs: 60_000 })
    const ended = computer.services.connection.disconnect()
    await vi.waitFor(async () => {
      expect(await control.requests()).toContain(disconnect)
    })
    const began = performance.now()
    expect(computer.services.connection.state.state).toBe('disconnecting')
    expect(runningClients()).toEqual([])
    await ended
    expect(performance.now() - began).toBeLessThan(9000)
    expect(computer.services.connection.state).toMatchObject({ state: 'disconnected' })
  })

  it('succeeds whatever the portal answers, and asks once', async () => {
    const computer = await connectedComputer()
    await control.fault('/api/v3/disconnect', { status: 500 })
    await computer.services.connection.disconnect()
    expect(computer.services.connection.state).toMatchObject({ state: 'disconnected' })
    expect(await control.requests()).toEqual([disconnect])
    expect(computer.notices.map(({ code }) => code)).toEqual(['secret-store/in-file'])
    expect((await computer.services.logLines(20)).join('\n')).toContain('disconnect-not-sent')
  })

  it('sends /disconnect for the old profile before connecting the new one', async () => {
    const computer = await connectedComputer()
    await computer.connect('office')
    expect(await control.requests()).toEqual([info, disconnect, info, connect])
  })

  it('sends /disconnect before a removal deletes the tokens', async () => {
    const computer = await connectedComputer()
    await computer.services.removeInstance(computer.target().instanceId)
    expect(await control.requests()).toEqual([disconnect])
  })

  it('sends nothing after a failed handshake until the user logs out', async () => {
    const computer = await newComputer(mock.instance, { openVpnPath: '/bin/false' })
    await failure(computer.connect())
    expect(await control.requests()).not.toContain(disconnect)
    expect(await computer.services.disconnectFrom(computer.target().instanceId)).toBe('none')
    expect(await control.requests()).toEqual([disconnect])
  })

  it('may end the login, so that the next connection needs a new one', async () => {
    await control.post('/scenarios/disconnect-ends-login')
    const computer = await connectedComputer()
    await computer.services.connection.disconnect()
    expect(computer.services.connection.state).toMatchObject({ state: 'disconnected' })
    await expect(computer.connect()).resolves.toBe('connected')
    expect(computer.logins()).toBe(2)
  })
})

describe('a /disconnect that met a portal that was down', () => {
  async function configurations(): Promise<unknown[]> {
    const answer = (await (await fetch(`${mock.control}/configurations`)).json()) as {
      configurations: unknown[]
    }
    return answer.configurations
  }

  /** Disconnects while the portal can't be reached. */
  async function missed(): Promise<Computer> {
    const computer = await connectedComputer()
    await control.post('/scenarios/portal-unreachable')
    await computer.services.connection.disconnect()
    await control.post('/scenarios/all-well')
    await control.requests()
    expect(await configurations()).toHaveLength(1)
    return computer
  }

  it('is sent once with the next answer, also by another process', async () => {
    const { dataDir, services } = await missed()
    const other = createServices({
      dataDir,
      secretStore: 'file',
      openBrowser: approve,
      onNotice: () => undefined,
    })
    try {
      const instance = await other.instances.find(undefined)
      await other.read.vpn(instance, (portal) => portal.profiles())
      await other.read.vpn(instance, (portal) => portal.profiles())
    } finally {
      await other.dispose()
    }
    await services.read.vpn(await services.instances.find(undefined), (portal) => portal.profiles())
    expect((await control.requests()).filter((request) => request === disconnect)).toHaveLength(1)
    expect(await configurations()).toEqual([])
  })

  it('is not sent for a new configuration, which a new connection uses', async () => {
    const computer = await missed()
    const { services } = computer
    await computer.connect()
    await services.read.vpn(await services.instances.find(undefined), (portal) => portal.profiles())
    expect(await control.requests()).toEqual([info, connect, info])
    expect(services.connection.state.state).toBe('connected')
  })

  it('is sent before a logout deletes the tokens', async () => {
    const { services } = await missed()
    await services.disconnectFrom(new URL(mock.instance).host)
    expect(await control.requests()).toEqual([disconnect])
    expect(await configurations()).toEqual([])
  })
})

describe('a refusal of a tunnel that was up', () => {
  function skipWithoutHooks({ skip }: TestContext): void {
    skip(mock.tunnel.mode !== 'full')
  }

  /** Waits for the failure of a connection over TCP, whose end the client notices at once. */
  async function failureAfter(scenario: string): Promise<{ computer: Computer; error: unknown; ms: number }> {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', { preferTcp: true })
    await control.requests()
    const failed = computer.at('failed')
    const began = performance.now()
    await control.post(`/scenarios/${scenario}`)
    await failed
    const { state } = computer.services.connection
    return {
      computer,
      error: state.state === 'failed' ? state.error : undefined,
      ms: performance.now() - began,
    }
  }

  /** Makes each attempt at once. */
  function withoutWaiting({ services: { connection } }: Computer): void {
    connection.onChange((state) => {
      if (state.state !== 'reconnecting' || state.nextAttemptAt === undefined) return
      // The wait begins after this state.
      setImmediate(() => {
        connection.retryNow()
      })
    })
  }

  it.for([
    ['login-revoked', 'session/over', 'revoked', /was revoked, or your account was disabled/],
    ['account-disabled', 'session/over', 'revoked', /was revoked, or your account was disabled/],
    ['guest-account-disabled', 'vpn-api/not-allowed', undefined, /your account has been disabled/],
  ] as const)('says why at once: %s', async ([scenario, code, variant, message], test) => {
    skipWithoutHooks(test)
    const { computer, error, ms } = await failureAfter(scenario)
    expect(error).toMatchObject({
      code,
      variant,
      message: expect.stringMatching(message) as string,
    })
    expect(ms).toBeLessThan(10_000)
    expect(computer.logins()).toBe(1)
    expect(await control.requests()).not.toContain(connect)
    expect(runningClients()).toEqual([])
  })

  it('says at once that the profile was removed', async (test) => {
    skipWithoutHooks(test)
    const computer = await newComputer(mock.instance)
    await computer.connect('office', { preferTcp: true })
    const failed = computer.at('failed')
    await control.put('/profiles', [])
    await control.post('/configurations/withdraw')
    await failed
    expect(computer.services.connection.state).toMatchObject({
      error: { code: 'vpn-api/profile-unavailable' },
    })
  })

  it('is waited out while the portal is down, and the tunnel is back', async (test) => {
    skipWithoutHooks(test)
    const computer = await newComputer(mock.instance)
    await computer.connect('office', { preferTcp: true })
    await control.requests()
    let attempts = 0
    computer.services.connection.onChange((state) => {
      if (state.state === 'reconnecting') attempts = Math.max(attempts, state.attempt)
    })
    withoutWaiting(computer)
    await control.post('/scenarios/portal-and-servers-down')
    await expect.poll(() => attempts, { timeout: 90_000 }).toBeGreaterThan(8)
    expect(computer.services.connection.state.state).toBe('reconnecting')
    const isBack = computer.at('connected')
    await control.post('/scenarios/all-well')
    await isBack
    expect(await control.requests()).not.toContain(connect)
  })

  it('ends in the end where the login is valid: another device has taken its place', async (test) => {
    skipWithoutHooks(test)
    const computer = await newComputer(mock.instance)
    await computer.connect('office', { preferTcp: true })
    withoutWaiting(computer)
    const failed = computer.at('failed')
    await control.post('/scenarios/configuration-withdrawn')
    await failed
    expect(computer.services.connection.state).toMatchObject({
      error: { code: 'connection/ended-by-service' },
    })
  })
})

describe('a refused connection', () => {
  it.each(
    rows(
      [
        ['connect-already-expired', 'session/over'],
        ['connect-without-expires', 'vpn-api/invalid-response'],
        ['connect-not-acceptable', 'vpn-api/protocol-not-supported'],
        ['connect-forbidden', 'vpn-api/not-allowed'],
        ['connect-no-such-profile', 'vpn-api/profile-unavailable'],
        ['connect-fails', 'vpn-api/server-error'],
        ['connect-malformed-expires', 'vpn-api/invalid-response'],
        ['connect-wrong-content-type', 'vpn-api/invalid-response'],
        ['connect-other-protocol', 'vpn-api/invalid-response'],
      ],
      4,
    ),
  )('has a code of its own: %s', async (scenario, code) => {
    const computer = await newComputer(mock.instance)
    await control.post(`/scenarios/${scenario}`)
    expect(await failure(computer.connect())).toMatchObject({ code })
    expect(computer.services.connection.state).toMatchObject({ state: 'failed', error: { code } })
    expect(runningClients()).toEqual([])
  })

  it.each(['no-such-profile', 'wireguard-only'])(
    'to the profile %s is found out before the tunnel that is up is ended',
    async (profileId) => {
      const computer = await connectedComputer()
      expect(await failure(computer.connect(profileId))).toMatchObject({
        code: profileId === 'wireguard-only' ? 'wireguard/not-available' : 'vpn-api/profile-unavailable',
      })
      expect(await control.requests()).toEqual([info])
      expect(computer.services.connection.state).toMatchObject({ state: 'connected' })
      expect(computer.steps).toEqual([])
    },
  )

  it.each(rows(['up', 'byte-order-mark', 'cert-file', 'key-file'], 2))(
    'comes from the filter for a hostile configuration, before OpenVPN starts: %s',
    async (trick) => {
      const computer = await newComputer(mock.instance)
      await control.post('/scenarios/profile-config-hostile')
      expect(await failure(computer.connect(trick))).toMatchObject({
        code: expect.stringMatching(/^profile-configuration\//) as string,
      })
      expect(computer.steps.at(-1)).toBe('failed')
      expect(computer.steps.join()).not.toContain('connecting')
      expect(runningClients()).toEqual([])
    },
  )

  it('that only /connect refuses leaves no tunnel, and says so of the new profile', async () => {
    const computer = await connectedComputer()
    await control.post('/scenarios/connect-fails')
    const code = 'vpn-api/server-error'
    expect(await failure(computer.connect('office'))).toMatchObject({ code })
    expect(computer.services.connection.state).toMatchObject({
      state: 'failed',
      target: computer.target('office'),
      error: { code },
    })
    expect(runningClients()).toEqual([])
    expect(await control.requests()).toEqual([info, disconnect, info, connect])
  })

  it('is detected before the configuration in use is withdrawn', async () => {
    const computer = await connectedComputer()
    const instance = await computer.services.instances.find(undefined)
    const { signal } = new AbortController()
    const described = computer.services.describeTunnel(instance, 'office', { login: 'never', signal })
    expect(await failure(described)).toMatchObject({ code: 'connection/held-by-other' })
    expect(await control.requests()).toEqual([])

    await computer.services.connection.disconnect()
    await control.requests()
    expect(await computer.services.describeTunnel(instance, 'office', { login: 'never', signal })).toContain(
      '[private key]',
    )
    expect(await control.requests()).toEqual([info, connect, disconnect])
  })
})

it('keeps every process from connecting while a configuration is fetched to be described', async () => {
  const computer = await newComputer(mock.instance)
  const { services } = computer
  const instance = await services.instances.find(undefined)
  await services.session(instance).logIn()
  await control.requests()
  await control.fault('/api/v3/info', { delayMs: 60_000 }, 1)
  let controller = new AbortController()
  const describeOffice = () =>
    services.describeTunnel(instance, 'office', { login: 'never', signal: controller.signal })
  const described = failure(describeOffice())
  await expect.poll(() => control.requests()).toEqual([info])
  expect(await failure(computer.connect())).toMatchObject({ code: 'connection/held-by-other' })
  controller.abort()
  await described
  controller = new AbortController()
  await describeOffice()
  expect(await control.requests()).toEqual([info, connect, disconnect])
  await expect(computer.connect()).resolves.toBe('connected')
})

it('describes a configuration after the login that the portal asks for meanwhile', async () => {
  const computer = await newComputer(mock.instance)
  const { services } = computer
  const instance = await services.instances.find(undefined)
  await services.session(instance).logIn()
  // The token looks valid until the portal is asked.
  await control.post('/tokens/revoke', { kind: 'all' })
  const { signal } = new AbortController()
  expect(await services.describeTunnel(instance, 'office', { login: 'allowed', signal })).toContain(
    '[private key]',
  )
  expect(computer.logins()).toBe(2)
  await expect(computer.connect()).resolves.toBe('connected')
})

describe('the API version and the client ID of a service', () => {
  it.each(rows([{ api: '2' }, { clientId: 'org.example' }], 1))(
    'stay while a tunnel needs its login, so that /disconnect reaches the portal (%o)',
    async (changes) => {
      const computer = await connectedComputer()
      const { services } = computer
      const { instanceId } = computer.target()
      const refused = { code: 'connection/in-use', details: { instance: instanceId } }
      expect(await failure(services.instances.set(instanceId, changes))).toMatchObject(refused)
      expect(await failure(services.instances.add({ address: mock.instance, apiVersion: 2 }))).toMatchObject(
        refused,
      )
      await services.instances.set(instanceId, { userId: 'tester', api: '' })
      await services.connection.disconnect()
      expect(await control.requests()).toEqual([disconnect])
      expect(await services.instances.set(instanceId, changes)).toMatchObject({ id: instanceId })
    },
  )

  it('change after the configuration of a failed attempt was withdrawn', async () => {
    const computer = await newComputer(mock.instance, { openVpnPath: '/bin/false' })
    await failure(computer.connect())
    await control.requests()
    await computer.services.instances.set(computer.target().instanceId, { api: '2' })
    expect(await control.requests()).toEqual([disconnect])
  })
})

describe('tokens of version 3', () => {
  it('are refreshed after a 401, and the call is repeated once', async () => {
    const computer = await connectedComputer()
    await computer.services.connection.disconnect()
    await control.post('/tokens/revoke', { kind: 'access' })
    await control.requests()
    await expect(computer.connect()).resolves.toBe('connected')
    expect(computer.logins()).toBe(1)
    expect(await control.requests()).toEqual([info, 'POST /oauth/token', info, connect])
  })

  it('are replaced by those of a new login if the refresh token is refused', async () => {
    const computer = await connectedComputer()
    await computer.services.connection.disconnect()
    await control.post('/tokens/revoke', { kind: 'all' })
    await expect(computer.connect()).resolves.toBe('connected')
    expect(computer.logins()).toBe(2)
  })

  it.each(
    rows(
      [
        [401, '{"error":"invalid_client"}'],
        [400, '{"error":"invalid_request"}'],
        [503, undefined],
      ],
      1,
    ),
  )('stay if the refresh fails with status %i %s', async (status, body) => {
    const computer = await connectedComputer()
    await computer.services.connection.disconnect()
    await control.post('/tokens/revoke', { kind: 'access' })
    await control.fault('/oauth/token', { status, body }, 1)
    expect(await failure(computer.connect())).toMatchObject({ code: 'oauth/server-error' })
    await expect(computer.connect()).resolves.toBe('connected')
    expect(computer.logins()).toBe(1)
  })
})

it('keeps the tunnel where another connection needs a login that may not be asked for', async () => {
  const computer = await connectedComputer()
  const { services } = computer
  await services.session(await services.instances.find(undefined)).logOut()
  expect(await failure(computer.connect('office', { login: 'never' }))).toMatchObject({
    code: 'oauth/login-required',
  })
  expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target() })
})

describe('the session', () => {
  it('begins with the login and ends with the date that the portal names', async () => {
    await control.post('/scenarios/session-soon-over')
    const computer = await connectedComputer()
    const instance = await computer.services.instances.find(undefined)
    const validity = await computer.services.validity(instance)
    if (validity === undefined) throw new Error('The end of the session is not known')
    expect(Math.abs(validity.notBefore.getTime() - Date.now())).toBeLessThan(60_000)
    expect(expiryAt(validity, new Date())).toMatchObject({ stage: 'soon', renewable: true })
    expect(expiryAt(validity, validity.notAfter)).toMatchObject({ stage: 'over', renewable: true })
  })

  const again = { mode: 'handshake-only' } as const
  const browserSessionMs = 30 * 60_000

  /** Returns a connected computer whose login is old enough to be renewed. */
  async function renewableComputer(openBrowser: OpenBrowser = approve): Promise<Computer> {
    let passed = 0
    const computer = await connectedComputer({ openBrowser, now: () => new Date(Date.now() + passed) })
    passed = browserSessionMs
    return computer
  }

  it('of 20 minutes is renewed at any time, and ends later', async () => {
    await control.post('/session', { endsInSeconds: 20 * 60 })
    const computer = await connectedComputer()
    const { services } = computer
    const instance = await services.instances.find(undefined)
    const before = await services.validity(instance)
    expect(before && expiryAt(before, new Date())).toMatchObject({ renewable: true })
    // Portals name the end in seconds.
    await control.post('/clock', { advanceSeconds: 2 })
    await services.renewSession(instance, again, (session) => session.logIn())
    expect(services.connection.state.state).toBe('connected')
    expect(computer.logins()).toBe(2)
    const after = await services.validity(instance)
    expect(after?.notAfter.getTime()).toBeGreaterThan(before?.notAfter.getTime() ?? 0)
    expect(computer.notices.map(({ code }) => code)).not.toContain('session/not-extended')
  })

  it('is reported if the portal ends the renewed one at the same time', async () => {
    const expires = new Date(Date.now() + 3_600_000).toUTCString()
    await control.fault('/api/v3/connect', { headers: { expires } })
    const computer = await connectedComputer()
    const { services } = computer
    await services.renewSession(await services.instances.find(undefined), again, (session) => session.logIn())
    expect(services.connection.state.state).toBe('connected')
    expect(computer.notices.map(({ code }) => code)).toContain('session/not-extended')
  })

  it('is renewed at once after its end, however short it was', async () => {
    const computer = await connectedComputer()
    const { services } = computer
    await services.connection.disconnect()
    await control.post('/scenarios/connect-already-expired')
    expect(await failure(computer.connect())).toMatchObject({ code: 'session/over' })
    await control.post('/reset')
    await services.renewSession(await services.instances.find(undefined), again, (session) => session.logIn())
    expect(services.connection.state).toMatchObject({ state: 'connected' })
  })

  it('is renewed in order: disconnect, tell the portal, log in, connect again', async () => {
    const computer = await renewableComputer()
    const { services, steps } = computer
    const instance = await services.instances.find(undefined)
    await services.renewSession(instance, again, (session) => session.logIn())
    expect(services.connection.state).toMatchObject({ state: 'connected', target: computer.target() })
    expect(steps.slice(0, 2)).toEqual(['disconnecting', 'disconnected'])
    expect(await control.requests()).toEqual([disconnect, ...login, info, connect])
  })

  it('is renewed after a failed connection once the portal was told', async () => {
    let passed = 0
    const now = () => new Date(Date.now() + passed)
    const { services, ...computer } = await newComputer(mock.instance, { openVpnPath: '/bin/false', now })
    await failure(computer.connect())
    passed = browserSessionMs
    await control.requests()
    await services.renewSession(await services.instances.find(undefined), again, (session) => session.logIn())
    expect(await control.requests()).toEqual([disconnect, ...login])
  })

  it('is renewed without connecting if there was no tunnel', async () => {
    const computer = await renewableComputer()
    const { services } = computer
    await services.connection.disconnect()
    await control.requests()
    await services.renewSession(await services.instances.find(undefined), again, (session) => session.logIn())
    expect(services.connection.state.state).toBe('disconnected')
    expect(await control.requests()).toEqual(login)
  })

  it('is over once its tokens were deleted for a renewal that the user then cancels', async () => {
    let first = true
    const computer = await renewableComputer(async (...urls) => {
      if (first) await approve(...urls)
      first = false
    })
    const { services } = computer
    const instance = await services.instances.find(undefined)
    const cancel = new AbortController()
    const renewed = services.renewSession(instance, again, async (session) => {
      const loggedIn = session.logIn(cancel.signal)
      expect(await session.signedIn()).toBe(false)
      cancel.abort()
      await loggedIn
    })
    expect(await failure(renewed)).toMatchObject({ code: 'oauth/cancelled' })
    expect(services.connection.state.state).toBe('disconnected')
  })
})

it('keeps the configuration that it has while the network changes', async () => {
  const listeners: ((event: 'up' | 'down' | 'resumed') => void)[] = []
  const computer = await connectedComputer({
    networkEvents: {
      watch: (listener) => {
        listeners.push(listener)
        return () => undefined
      },
    },
  })
  const isBack = computer.at('connected')
  for (const listener of listeners) listener('resumed')
  await isBack
  expect(computer.steps).toContain('reconnecting')
  expect(await control.requests()).toEqual([])
})

it('shows profiles with localized names and unknown fields', async () => {
  await control.post('/scenarios/display-name-object')
  const computer = await newComputer(mock.instance)
  const { services } = computer
  const instance = await services.instances.find(undefined)
  await services.session(instance).logIn()
  const { items: profiles } = await (await services.portal(instance)).profiles()
  expect(profiles[0]).toMatchObject({ displayName: { nl: expect.stringContaining('Nederlands') as unknown } })
  await control.post('/scenarios/info-unknown-fields')
  expect((await (await services.portal(instance)).profiles()).items).toHaveLength(profiles.length)
})

it('gives a configuration without certificate and key, which are apart', async () => {
  const computer = await newComputer(mock.instance)
  await computer.services.session(await computer.services.instances.find(undefined)).logIn()
  const text = await profileText(computer, 'internet')
  expect(text).toContain('<ca>')
  expect(text).not.toMatch(/<(cert|key)>|PRIVATE KEY/)
})
