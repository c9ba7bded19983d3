import { afterAll, beforeAll, beforeEach, describe, expect, it, type TestContext, vi } from 'vitest'
import { createMockServer, type MockServer } from '../../mock-server/server'
import { type Computer, failure, MockControl, newComputer, runningClients } from './connecting.testing'

// After each refusal Causeway waits, as it does for a person.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 })

let mock: MockServer
let control: MockControl

beforeAll(async () => {
  mock = await createMockServer({ tunnel: 'openvpn', autoApprove: true })
  control = new MockControl(mock.control)
})
afterAll(() => mock.close())
beforeEach(() => control.post('/reset'))

/** Where there is no device there are no hooks either, and no refusals after the handshake. */
function skipWithoutHooks({ skip }: TestContext): void {
  skip(mock.tunnel.mode !== 'full')
}

const accepted = { body: { check_certificate: { ok: true, data: { is_valid: true } } } }
const overTcp = { preferTcp: true, remoteStrategy: 2 } as const
const check = 'GET /api/vpn/check_certificate'
const create = 'POST /api/vpn/create_keypair'

/** A computer that was connected once, so that it holds a key pair; the journal is empty. */
async function computerWithKeyPair(): Promise<Computer> {
  const computer = await newComputer(mock.instance)
  await computer.connect()
  await computer.services.connection.disconnect()
  computer.steps.length = 0
  await control.requests()
  return computer
}

/** The instance says that the certificate is valid, and its servers refuse it: until it is asked once more. */
async function changeAfterCheck(scenario: string): Promise<void> {
  await control.post(`/scenarios/${scenario}`)
  await control.fault('/api/vpn/check_certificate', accepted, 1)
}

function killClients(): void {
  for (const pid of runningClients()) process.kill(pid, 'SIGKILL')
}

describe('a refusal after the handshake, while connecting', () => {
  it('gets one new certificate where the instance has deleted the one at hand', async () => {
    const computer = await computerWithKeyPair()
    await changeAfterCheck('revoked-certificate')
    expect(await computer.connect('office', overTcp)).toBe('connected')
    const requests = await control.requests()
    expect(requests.filter((request) => request === create)).toHaveLength(1)
    expect(computer.logins()).toBe(1)
  })

  it('is waited out where the instance accepts the certificate, as while a server starts', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair()
    await control.post('/scenarios/vpn-servers-refuse-at-first')
    expect(await computer.connect('office', overTcp)).toBe('connected')
    expect(computer.steps.filter((step) => step === 'reconnecting')).not.toHaveLength(0)
    const requests = await control.requests()
    // Once before connecting, and once after each of the two refusals.
    expect(requests.filter((request) => request === check)).toHaveLength(3)
    expect(requests).not.toContain(create)
  })

  it('is the answer in the end, where the time for connecting is over', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair()
    await control.post('/scenarios/vpn-servers-refuse-with-reason')
    expect(await failure(computer.connect('office', { ...overTcp, timeoutMs: 4000 }))).toMatchObject({
      code: 'openvpn/authentication-failed',
      details: { reason: 'The back end is not reachable' },
    })
    expect(await control.requests()).not.toContain(create)
    expect(runningClients()).toEqual([])
  })

  it('is waited out while the instance has trouble of its own', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair()
    await control.fault('/api/vpn/check_certificate', accepted, 1)
    await control.fault('/api/vpn/check_certificate', { status: 500, body: { error: 'down' } }, 1)
    await control.fault('/api/vpn/check_certificate', { reset: true }, 1)
    await control.post('/tunnel/refusals', { kind: 'auth-failed', times: 2 })
    expect(await computer.connect('office', overTcp)).toBe('connected')
    expect(await control.requests()).not.toContain(create)
  })

  it.for(['user_disabled', 'certificate_disabled'])(
    'says %s, and gets no certificate',
    async (reason, test) => {
      skipWithoutHooks(test)
      const computer = await computerWithKeyPair()
      await control.fault('/api/vpn/check_certificate', accepted, 1)
      await control.fault('/api/vpn/check_certificate', {
        body: { check_certificate: { ok: true, data: { is_valid: false, reason } } },
      })
      await control.post('/tunnel/refusals', { kind: 'auth-failed' })
      expect(await failure(computer.connect('office', overTcp))).toMatchObject({
        code: 'certificate/refused',
        details: { reason },
      })
      expect(await control.requests()).not.toContain(create)
    },
  )

  it('says that a login is needed where the instance has ended it', async (test) => {
    skipWithoutHooks(test)
    const computer = await computerWithKeyPair()
    await control.post('/tunnel/refusals', { kind: 'auth-failed' })
    const shaking = computer.at('connecting/tls', () => control.post('/tokens/revoke', { kind: 'all' }))
    expect(await failure(computer.connect('office', overTcp))).toMatchObject({ code: 'oauth/login-required' })
    await shaking
  })
})

describe('a refusal of a tunnel that was up', () => {
  it('gets one new certificate where the instance has deleted the one at hand', async () => {
    const computer = await newComputer(mock.instance)
    await computer.connect('office', overTcp)
    await control.post('/certificates/revoke')
    await control.requests()
    const back = computer.at('connected')
    killClients()
    await back
    expect((await control.requests()).at(-1)).toBe(create)
  })

  it('is waited out where the instance accepts the certificate', async (test) => {
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

  it('says that the login has ended where the instance says so', async (test) => {
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

describe('servers that have changed under a tunnel', () => {
  it.each([
    ['have other ports', 'move', [check, 'GET /api/vpn/profile_config']],
    ['have another CA', 'renew-authority', [check, 'GET /api/vpn/profile_config', create]],
  ])('and %s: the tunnel comes back by itself', async (_what, action, asked) => {
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
