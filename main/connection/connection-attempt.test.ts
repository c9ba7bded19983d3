import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CausewayError } from '../errors'
import { TunnelFailure } from '../tunnel/tunnel'
import { target, unreachable, world } from './connection.testing'

const minute = 60_000
const silent = new TunnelFailure({ failureClass: 'silent', reason: 'no-answer' }, 'wireguard/no-answer')

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

it('starts a tunnel that is up again when the person asks for it', async () => {
  const { connection, done } = world()
  await connection.connect(target)
  const states: string[] = []
  const stop = connection.onChange(({ state }) => states.push(state))
  connection.reconnect()
  await expect.poll(() => connection.state.state).toBe('connected')
  stop()
  expect(states).toEqual(['reconnecting', 'connected'])
  expect(done).toEqual(['connect 1', 'tunnel down'])
  await connection.disconnect()
})

it('tells of tunnels that carry traffic, and not of a mere handshake', async () => {
  for (const [mode, times] of [
    ['full', 1],
    ['handshake-only', 0],
  ] as const) {
    const onTunnel = vi.fn()
    const { connection } = world({ onTunnel })
    await connection.connect(target, { mode })
    expect(onTunnel, mode).toHaveBeenCalledTimes(times)
    await connection.disconnect()
  }
})

it('does not try again as if there had been no tunnel yet, once there was one', async () => {
  const settings = [false, true]
  const { connection, done } = world({
    drops: [1],
    preferences: () =>
      Promise.resolve({ remoteStrategy: 0, preferTcp: false, reconnect: settings[0] ?? false }),
    onTunnel: () => settings.shift(),
  })
  expect(await connection.connect(target, { patient: true })).toBe('connected')
  await expect.poll(() => connection.state.state).toBe('failed')
  expect(done.filter((step) => step.startsWith('connect'))).toEqual(['connect 1'])
})

it('shows that new credentials are being requested', async () => {
  const expired = new TunnelFailure(
    { failureClass: 'credentials', reason: 'tls-error' },
    'openvpn/certificate-rejected',
  )
  const { connection, done } = world({ isNew: false, fails: [1], failsWith: expired })
  const states: string[] = []
  connection.onChange(({ state }) => states.push(state))
  await connection.connect(target)
  expect(states).toEqual(['discovering', 'preparing', 'connecting', 'preparing', 'connecting', 'connected'])
  expect(done).toEqual(['connect 1', 'renew'])
  await connection.disconnect()
})

describe('a tunnel that is lost and gets no answer', () => {
  /** Connects in one network, and loses the tunnel in another. */
  async function lose(then: string, now: string) {
    let network = then
    const added: unknown[] = []
    const onMovedToTcp = vi.fn()
    const { connection, done } = world({
      drops: [1],
      fails: [2],
      failsWith: silent,
      blockedNetworks: {
        current: () => Promise.resolve(network),
        has: () => Promise.resolve(false),
        add: (blocked) => Promise.resolve(void added.push(blocked)),
      },
      onTunnel: () => {
        network = now
      },
      onMovedToTcp,
    })
    await connection.connect(target)
    await expect.poll(() => done).toHaveLength(2)
    await expect.poll(() => connection.state.state).toBe('connected')
    await connection.disconnect()
    return { done: done.slice(1, 2), added, moved: onMovedToTcp.mock.calls.length }
  }

  it('is tried over TCP in another network, which is remembered and told', async () => {
    expect(await lose('home', 'hotel')).toEqual({ done: ['over TCP'], added: ['hotel'], moved: 1 })
  })

  it('gets new credentials in the same network, which has carried it', async () => {
    expect(await lose('home', 'home')).toEqual({ done: ['renew'], added: [], moved: 0 })
  })
})

describe('the time limit', () => {
  it('is over with the first tunnel', async () => {
    useFakeTimers()
    const { connection } = world()
    await connection.connect(target, { timeoutMs: 1000 })
    expect(vi.getTimerCount()).toBe(0)
    await connection.disconnect()
  })

  it('leaves no timer after a failure', async () => {
    useFakeTimers()
    const { connection } = world({ fails: [1] })
    await expect(connection.connect(target)).rejects.toBe(unreachable)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('does not count the sign-in, after which it begins anew', async () => {
    useFakeTimers()
    const states: string[] = []
    let left = 0
    const { connection } = world({
      logIn: () => {
        states.push(connection.state.state)
        return Promise.resolve(void vi.advanceTimersByTime(10 * minute))
      },
      answers: () => {
        left = vi.getTimerCount()
        return Promise.resolve(void vi.advanceTimersByTime(0.9 * minute))
      },
    })
    expect(await connection.connect(target, { timeoutMs: minute })).toBe('connected')
    expect([states, left]).toEqual([['authorizing'], 1])
    await connection.disconnect()
  })

  const cancelled = new CausewayError('http/cancelled')
  const refused = new CausewayError('vpn-api/not-allowed')
  it.each([
    ['the service', cancelled, { code: 'http/timed-out', details: { host: target.instanceId, seconds: 60 } }],
    [
      'the server that was asked',
      new CausewayError('http/cancelled', { details: { host: 'login.example.org' } }),
      { code: 'http/timed-out', details: { host: 'login.example.org', seconds: 60 } },
    ],
    ['what else is wrong', refused, { code: 'vpn-api/not-allowed' }],
  ])('names %s', async (_what, error, expected) => {
    useFakeTimers()
    const { connection } = world({
      answers: async (signal) => {
        const aborted = signal && once(signal, 'abort')
        vi.advanceTimersByTime(minute)
        await aborted
        throw error
      },
    })
    await expect(connection.connect(target, { timeoutMs: minute })).rejects.toMatchObject(expected)
  })

  it('is not named where the request was cancelled otherwise', async () => {
    const { connection } = world({ answers: () => Promise.reject(cancelled) })
    await expect(connection.connect(target)).rejects.toBe(cancelled)
  })
})

it('puts a server that cannot be verified down to a wrong clock, and nothing else', async () => {
  const wrongClock = new CausewayError('clock/wrong', {
    details: { instance: target.instanceId, aheadSeconds: 7200, localTime: '14:00', serverTime: '12:00' },
  })
  const unverified = new TunnelFailure(
    { failureClass: 'unverified', reason: 'tls-error' },
    'openvpn/server-not-verified',
  )
  const connecting = (options: Parameters<typeof world>[0]) =>
    world({ fails: [1], ...options }).connection.connect(target)
  await expect(connecting({ failsWith: unverified, wrongClock })).rejects.toBe(wrongClock)
  await expect(connecting({ failsWith: unverified })).rejects.toBe(unverified)
  await expect(connecting({ wrongClock })).rejects.toBe(unreachable)
})
