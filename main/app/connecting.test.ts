import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { failure, newComputer, profileText, runningClients, startMock } from './connecting.testing'

const { mock, control } = await startMock()

/** The requests of a login. Causeway checks the client id with the first one; the browser sends the second. */
const login = ['GET /oauth/authorize', 'GET /oauth/authorize', 'POST /oauth/token']

describe('connecting', () => {
  it('runs all steps from discovery to a handshake with a real server, and disconnects', async () => {
    const computer = await newComputer(mock.instance)
    await expect(computer.connect()).resolves.toBe('connected')

    const { connection } = computer.services
    expect(connection.state).toMatchObject({
      state: 'connected',
      target: computer.target(),
      addresses: { ipv4: expect.stringMatching(/^10\.88\./) as unknown },
      remote: { protocol: 'udp' },
      cipher: 'AES-256-GCM',
    })
    await connection.disconnect()
    expect(computer.steps).toEqual([
      'discovering',
      'authorizing',
      'preparing',
      'connecting/starting',
      'connecting/contacting',
      'connecting/tls',
      'connecting/authenticating',
      'connecting/configuring',
      'connected',
      'disconnecting',
      'disconnected',
    ])
    expect(runningClients()).toEqual([])
  })

  it('sends only the requests it needs, and reuses login and key pair the second time', async () => {
    const computer = await newComputer(mock.instance)
    const { connection } = computer.services
    await computer.connect()
    await connection.disconnect()
    const first = await control.requests()
    expect(first.slice(0, 5)).toEqual(['GET /.well-known/vpn-user-portal', 'GET /info.json', ...login])
    expect(first.slice(5).toSorted()).toEqual(['GET /api/vpn/profile_config', 'POST /api/vpn/create_keypair'])

    await computer.connect()
    expect((await control.requests()).toSorted()).toEqual([
      'GET /api/vpn/check_certificate',
      'GET /api/vpn/profile_config',
    ])
    expect(computer.logins()).toBe(1)
    expect(computer.steps.filter((step) => step === 'authorizing')).toHaveLength(1)
  })

  it('uses TCP if preferred', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', { preferTcp: true, remoteStrategy: 2 })
    expect(computer.services.connection.state).toMatchObject({ remote: { protocol: 'tcp' } })
  })
})

describe('tokens', () => {
  it('logs in once when the access token was revoked, and continues', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect()
    await computer.services.connection.disconnect()
    await control.post('/tokens/revoke', { kind: 'access' })
    await control.requests()

    await expect(computer.connect()).resolves.toBe('connected')
    expect(computer.logins()).toBe(2)
    const requests = await control.requests()
    expect(requests.filter((request) => request.startsWith('POST /oauth/token'))).toHaveLength(1)
  })

  it('gives up after one login if the service rejects its own tokens', async () => {
    await control.fault('/api/vpn/*', { status: 401 })
    const computer = await newComputer(mock.instance)
    expect(await failure(computer.connect())).toMatchObject({ code: 'oauth/login-required' })
    expect(computer.logins()).toBe(1)
    expect(computer.services.connection.state).toMatchObject({
      state: 'failed',
      error: { code: 'oauth/login-required' },
    })

    await control.post('/reset')
    await computer.connect()
    await control.fault('/api/vpn/*', { status: 401 })
    expect(await failure(computer.connect())).toMatchObject({ code: 'oauth/login-required' })
    expect(computer.logins()).toBe(3)
  })

  it('opens no browser with login: never', async () => {
    const computer = await newComputer(mock.instance)
    expect(await failure(computer.connect('internet', { login: 'never' }))).toMatchObject({
      code: 'oauth/login-required',
    })
    expect(computer.logins()).toBe(0)
  })
})

describe('a time limit', () => {
  it('ends an unsuccessful attempt and its OpenVPN', async () => {
    const silent = createSocket('udp4')
    onTestFinished(() => {
      silent.close()
    })
    silent.bind(0, '127.0.0.1')
    await once(silent, 'listening')
    const computer = await newComputer(mock.instance)
    await computer.connect()
    const real = await profileText(computer, 'internet')
    await control.fault('/api/vpn/profile_config', {
      body: real.replace(/^remote .*$/gm, `remote 127.0.0.1 ${silent.address().port} udp`),
    })
    expect(await failure(computer.connect('internet', { timeoutMs: 5000 }))).toMatchObject({
      code: 'openvpn/timed-out',
    })
    expect(computer.services.connection.state).toMatchObject({ state: 'failed' })
    expect(computer.steps).not.toContain('reconnecting')
    expect(runningClients()).toEqual([])
  })

  it('also ends unanswered requests', async () => {
    const computer = await newComputer(mock.instance)
    const { services } = computer
    // So that nothing but requests is left for the limit to end.
    await services.session(await services.instances.find(undefined)).logIn()
    await control.fault('/api/vpn/profile_config', { delayMs: 60_000 })
    expect(await failure(computer.connect('internet', { timeoutMs: 300 }))).toMatchObject({
      code: 'http/timed-out',
      details: { host: new URL(mock.instance).host },
    })
  })
})
