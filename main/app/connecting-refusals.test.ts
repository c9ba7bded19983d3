import { describe, expect, it, type TestContext } from 'vitest'
import {
  computerWithKeyPair,
  failure,
  findsClients,
  killClients,
  newComputer,
  runningClients,
  startMock,
} from './connecting.testing'

const server = await startMock()
const { mock, control } = server

/** Skips the test without a server device: then OpenVPN runs no hooks, and can't refuse after the handshake. */
function skipWithoutHooks({ skip }: TestContext): void {
  skip(mock.tunnel.mode !== 'full')
}

const accepted = { body: { check_certificate: { ok: true, data: { is_valid: true } } } }
const overTcp = { preferTcp: true, remoteStrategy: 2 } as const
const check = 'GET /api/vpn/check_certificate'
const create = 'POST /api/vpn/create_keypair'

/** Makes the servers refuse a certificate that the instance accepts on the first check only. */
async function changeAfterCheck(scenario: string): Promise<void> {
  await control.post(`/scenarios/${scenario}`)
  await control.fault('/api/vpn/check_certificate', accepted, 1)
}

describe('a refusal after the handshake, while connecting', () => {
  it('gets one new certificate if the instance has deleted the current one', async () => {
    const computer = await computerWithKeyPair(server)
    await changeAfterCheck('revoked-certificate')
    expect(await computer.connect('office', overTcp)).toBe('connected')
    const requests = await control.requests()
    expect(requests.filter((request) => request === create)).toHaveLength(1)
    expect(computer.logins()).toBe(1)
  })

  it('is retried if the instance accepts the certificate, as while a server starts', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair(server)
    await control.post('/scenarios/vpn-servers-refuse-at-first')
    expect(await computer.connect('office', overTcp)).toBe('connected')
    expect(computer.steps.filter((step) => step === 'reconnecting')).not.toHaveLength(0)
    const requests = await control.requests()
    // Once before connecting, and once after each of the two refusals.
    expect(requests.filter((request) => request === check)).toHaveLength(3)
    expect(requests).not.toContain(create)
  })

  it('is the final error when the time limit is reached', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair(server)
    await control.post('/scenarios/vpn-servers-refuse-with-reason')
    expect(await failure(computer.connect('office', { ...overTcp, timeoutMs: 14_000 }))).toMatchObject({
      code: 'openvpn/authentication-failed',
      details: { reason: 'The back end is not reachable' },
    })
    expect(await control.requests()).not.toContain(create)
    expect(runningClients()).toEqual([])
  })

  it('is retried while the instance fails', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair(server)
    // The newest fault applies.
    await control.fault('/api/vpn/check_certificate', { reset: true }, 1)
    await control.fault('/api/vpn/check_certificate', { status: 500, body: { error: 'down' } }, 1)
    await control.fault('/api/vpn/check_certificate', accepted, 1)
    await control.post('/tunnel/refusals', { kind: 'auth-failed', times: 2 })
    expect(await computer.connect('office', overTcp)).toBe('connected')
    expect(await control.requests()).not.toContain(create)
  })

  it.for(['user_disabled', 'certificate_disabled'])(
    'reports %s without requesting a certificate',
    async (reason, test) => {
      skipWithoutHooks(test)
      const computer = await computerWithKeyPair(server)
      await control.fault('/api/vpn/check_certificate', {
        body: { check_certificate: { ok: true, data: { is_valid: false, reason } } },
      })
      await control.fault('/api/vpn/check_certificate', accepted, 1)
      await control.post('/tunnel/refusals', { kind: 'auth-failed' })
      expect(await failure(computer.connect('office', overTcp))).toMatchObject({
        code: 'certificate/refused',
        details: { reason },
      })
      expect(await control.requests()).not.toContain(create)
    },
  )

  it('requires a login if the instance has revoked the tokens', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair(server)
    await control.post('/tunnel/refusals', { kind: 'auth-failed' })
    const shaking = computer.at('connecting/tls', () => control.post('/tokens/revoke', { kind: 'all' }))
    expect(await failure(computer.connect('office', overTcp))).toMatchObject({ code: 'oauth/login-required' })
    await shaking
  })
})

describe.runIf(findsClients)('a refusal while reconnecting', () => {
  it('gets one new certificate if the instance has deleted the current one', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    await control.post('/certificates/revoke')
    await control.requests()
    const back = computer.at('connected')
    killClients()
    await back
    expect((await control.requests()).at(-1)).toBe(create)
  })

  it('is retried if the instance accepts the certificate', async (test) => {
    skipWithoutHooks(test)
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    await control.post('/tunnel/refusals', { kind: 'auth-failed', times: 2 })
    await control.requests()
    const back = computer.at('connected')
    killClients()
    await back
    expect(await control.requests()).toEqual([check, check])
  })

  it('reports an expired session if the instance has revoked the tokens', async (test) => {
    skipWithoutHooks(test)
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    await control.post('/tunnel/refusals', { kind: 'auth-failed' })
    await control.post('/tokens/revoke', { kind: 'all' })
    const failed = computer.at('failed')
    killClients()
    await failed
    expect(computer.services.connection.state).toMatchObject({ error: { code: 'session/over' } })
  })
})

describe('a server change during a connection', () => {
  it.each([
    ['ports', 'move', [check, 'GET /api/vpn/profile_config']],
    ['the CA', 'renew-authority', [check, 'GET /api/vpn/profile_config', create]],
  ])('of %s reconnects automatically', async (_what, action, asked) => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    await control.requests()
    const back = computer.at('connected')
    await control.post('/tunnel', { action })
    await back
    expect((await control.requests()).sort()).toEqual([...asked].sort())
    expect(computer.logins()).toBe(1)
  })
})
