import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError } from '../errors'
import type { NetworkEvent } from '../platform/network/network-events'
import { type Remote, type TunnelEnd, type TunnelEvent, TunnelFailure } from '../tunnel/tunnel'
import type { HeldGrant } from './held-grant'
import { Supervisor } from './supervisor'
import { TimeLimit } from './time-limit'

const target = { instanceId: 'vpn.example.org', profileId: 'office' }
const details = { addresses: {}, remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' } } as const
const connected: TunnelEvent = { event: 'connected', details }
const lost: TunnelEvent = { event: 'restarting', reason: 'ping-restart', handshakeFailed: false }
const failedAgain: TunnelEvent = { event: 'restarting', reason: 'server_poll', handshakeFailed: false }
const tlsError: TunnelEvent = { event: 'restarting', reason: 'tls-error', handshakeFailed: true }
const refused = new TunnelFailure(
  { failureClass: 'refused', reason: 'authentication-failed' },
  'openvpn/authentication-failed',
  '',
)
const unverified = new TunnelFailure(
  { failureClass: 'unverified', reason: 'tls-error' },
  'openvpn/server-not-verified',
  '',
)
const unreachable = new TunnelFailure(
  { failureClass: 'retry', reason: 'unreachable' },
  'openvpn/unreachable',
  '',
)
const portalGone = new CausewayError('http/unreachable', 'Nobody answers.')

/** What one OpenVPN says, and how it ends: by itself with an error, or when it is stopped. */
interface Run {
  readonly says?: readonly TunnelEvent[]
  readonly fails?: CausewayError
}

/** A supervised tunnel whose OpenVPN, instance and network do what the test says; time passes at once. */
function world(runs: readonly Run[], answers: Partial<Pick<HeldGrant, 'check' | 'refresh'>> = {}) {
  const asked: string[] = []
  const delays: number[] = []
  const avoided: (readonly Remote[])[] = []
  const states: ConnectionState[] = []
  const watching = new Set<(event: NetworkEvent) => void>()
  const stop = new AbortController()
  const limit = new TimeLimit(60_000, stop.signal)
  let state: ConnectionState = { state: 'preparing', target }
  let started = 0
  let waitingForStop: () => void = () => undefined
  const stands = () =>
    new Promise<void>((resolve) => {
      waitingForStop = resolve
    })
  let idle = stands()
  const supervisor = new Supervisor(
    {
      network: {
        watch: (listener) => {
          watching.add(listener)
          return () => watching.delete(listener)
        },
      },
      delay: (milliseconds) => {
        delays.push(milliseconds)
        return Promise.resolve()
      },
      random: () => 0.5,
      now: () => new Date(1_000_000),
      backend: {
        start: (_, { avoid, onEvent }) => {
          avoided.push(avoid)
          const run = runs[started]
          started += 1
          let end: (end: TunnelEnd) => void = () => undefined
          const ended = new Promise<TunnelEnd>((resolve) => {
            end = resolve
          })
          const goOn = async () => {
            await Promise.resolve()
            for (const event of run?.says ?? []) {
              onEvent(event)
              // Long enough for what the event sets off.
              for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
            }
            if (run?.fails !== undefined) end({ end: 'failed', error: run.fails })
            else waitingForStop()
          }
          void goOn()
          return Promise.resolve({
            ended,
            stop: async () => {
              end({ end: 'stopped' })
              await ended
            },
          })
        },
      },
    },
    {
      target,
      mode: 'full',
      preferTcp: false,
      reconnect: true,
      limit,
      state: () => state,
      become: (next) => {
        state = next
        states.push(next)
      },
      isBehindCaptivePortal: () => Promise.resolve(false),
      grant: {
        tunnel: { protocol: 'openvpn', profile: '', certificate: '', privateKey: '' },
        isOver: () => false,
        connected: () => undefined,
        renew: () => {
          asked.push('renew')
          return Promise.resolve(true)
        },
        check: () => {
          asked.push('check')
          return answers.check?.() ?? Promise.resolve('accepted')
        },
        refresh: () => {
          asked.push('refresh')
          return answers.refresh?.() ?? Promise.resolve(false)
        },
      },
      onConnected: () => {
        limit.pause()
      },
      onLog: () => undefined,
    },
  )
  const running = supervisor.run()
  return {
    asked,
    avoided,
    delays,
    states,
    running,
    started: () => started,
    /** Resolves when the OpenVPN that is told nothing more stands still. */
    settled: async () => {
      await Promise.race([idle, running])
      idle = stands()
    },
    tell: (event: NetworkEvent) => {
      for (const listener of watching) listener(event)
    },
    end: async () => {
      stop.abort()
      await running
    },
  }
}

const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of)
const codeOf = (running: Promise<void>): Promise<ErrorCode | undefined> =>
  running.then(
    () => undefined,
    (error: unknown) => (error instanceof CausewayError ? error.code : undefined),
  )

describe('a refusal after the handshake, before the tunnel was up once', () => {
  it('is waited out for half a minute in six attempts, and then is the answer', async () => {
    const { running, asked, delays, states, started } = world(times(9, { fails: refused }))
    expect(await codeOf(running)).toBe('openvpn/authentication-failed')
    expect(started()).toBe(6)
    expect(asked).toEqual(times(6, 'check'))
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000])
    expect(states.find(({ state }) => state === 'reconnecting')).toMatchObject({
      reason: 'authentication-failed',
      attempt: 1,
      notYetConnected: true,
    })
  })

  it('is tried again at once with a new certificate, and is the answer when that is refused too', async () => {
    const outcomes = ['replaced', 'refused'] as const
    let next = 0
    const { running, started, delays } = world(times(9, { fails: refused }), {
      check: () => Promise.resolve(outcomes[next++] ?? 'accepted'),
    })
    expect(await codeOf(running)).toBe('openvpn/authentication-failed')
    expect(started()).toBe(2)
    expect(delays).toEqual([])
  })

  it('ends with what the instance says of the certificate', async () => {
    const disabled = new CausewayError('certificate/refused', '')
    const { running, started } = world(times(9, { fails: refused }), {
      check: () => Promise.reject(disabled),
    })
    expect(await codeOf(running)).toBe('certificate/refused')
    expect(started()).toBe(1)
  })

  it.each([
    ['http/unreachable', 'unreachable'],
    ['vpn-api/server-error', 'service-error'],
  ] as const)('is waited out where the instance cannot be asked (%s)', async (code, reason) => {
    const { running, started, states } = world(times(9, { fails: refused }), {
      check: () => Promise.reject(new CausewayError(code, '')),
    })
    expect(await codeOf(running)).toBe(code)
    expect(started()).toBe(6)
    expect(states).toContainEqual(expect.objectContaining({ state: 'reconnecting', reason }))
  })
})

describe('a refusal of a tunnel that was up', () => {
  it('is waited out for as long as it takes', async () => {
    const back: Run = { says: [connected] }
    const { settled, asked, end } = world([
      { says: [connected], fails: unreachable },
      ...times(20, { fails: refused }),
      back,
    ])
    await settled()
    expect(asked.filter((each) => each === 'check')).toHaveLength(20)
    await end()
  })
})

describe('the configuration of a tunnel that was up', () => {
  it('is not fetched for a loss that the next attempts make good', async () => {
    const { settled, asked, end } = world([
      {
        says: [
          connected,
          lost,
          failedAgain,
          failedAgain,
          connected,
          lost,
          failedAgain,
          failedAgain,
          connected,
        ],
      },
    ])
    await settled()
    expect(asked).toEqual([])
    await end()
  })

  it('is fetched beside OpenVPN after three failed attempts, and again after three more', async () => {
    const { settled, asked, started, end } = world([{ says: [connected, lost, ...times(6, failedAgain)] }])
    await settled()
    expect(asked).toEqual(['refresh', 'refresh'])
    expect(started()).toBe(1)
    await end()
  })

  it('replaces the one at hand when it has changed', async () => {
    const { settled, asked, started, end } = world(
      [{ says: [connected, lost, ...times(3, failedAgain)] }, { says: [connected] }],
      { refresh: () => Promise.resolve(true) },
    )
    await settled()
    await expect.poll(started).toBe(2)
    expect(asked).toEqual(['refresh'])
    await end()
  })

  it('is fetched after the first attempt that fails in TLS', async () => {
    const { settled, asked, end } = world([{ says: [connected, lost, tlsError, tlsError] }])
    await settled()
    expect(asked).toEqual(['refresh'])
    await end()
  })

  it('is fetched without the routes of the tunnel where the instance was not reached with them', async () => {
    let reachable = false
    const { settled, asked, started, end } = world(
      [{ says: [connected, lost, ...times(6, failedAgain)] }, { says: [connected] }],
      {
        refresh: () => {
          const answer = reachable ? Promise.resolve(true) : Promise.reject(portalGone)
          reachable = true
          return answer
        },
      },
    )
    await settled()
    await expect.poll(started).toBe(2)
    expect(asked).toEqual(['refresh', 'refresh'])
    await end()
  })

  it('stays the one at hand while the instance cannot be reached, and the tunnel is tried on', async () => {
    const { settled, started, asked, end } = world(
      [{ says: [connected], fails: unreachable }, ...times(8, { fails: unreachable }), { says: [connected] }],
      { refresh: () => Promise.reject(portalGone) },
    )
    await settled()
    expect(started()).toBe(10)
    expect(asked).toEqual(times(2, 'refresh'))
    await end()
  })

  it('ends it where the instance no longer offers the profile', async () => {
    const { running, started } = world(
      [{ says: [connected, lost, ...times(3, failedAgain)] }, { says: [connected] }],
      { refresh: () => Promise.reject(new CausewayError('vpn-api/profile-unavailable', '')) },
    )
    expect(await codeOf(running)).toBe('vpn-api/profile-unavailable')
    expect(started()).toBe(1)
  })

  it('is not fetched when the computer wakes up: the next attempt is made at once', async () => {
    const { settled, tell, asked, delays, started, end } = world([
      { says: [connected, lost, failedAgain, failedAgain] },
      { says: [connected] },
    ])
    await settled()
    tell('resumed')
    await settled()
    expect({ asked, delays, started: started() }).toEqual({ asked: [], delays: [], started: 2 })
    await end()
  })
})

describe('a server that cannot prove who it is', () => {
  const runs = [{ says: [connected], fails: unreachable }, { fails: unverified }, { says: [connected] }]

  it('is given up where the configuration is still the same', async () => {
    const { running, asked } = world(runs)
    expect(await codeOf(running)).toBe('openvpn/server-not-verified')
    expect(asked).toEqual(['refresh'])
  })

  it('is tried again where the configuration has changed', async () => {
    const { settled, started, end } = world(runs, { refresh: () => Promise.resolve(true) })
    await settled()
    expect(started()).toBe(3)
    await end()
  })
})

describe('a server at which nobody listens', () => {
  const server: Remote = { host: 'vpn.example.org', port: 1194, protocol: 'udp' }
  const nobody: Run = {
    says: [
      { event: 'phase', phase: 'contacting' },
      { event: 'refused', remote: server },
    ],
  }

  it('is left out of the next attempt, which is made at once, and tried again after a connection', async () => {
    const { avoided, delays, end } = world([
      nobody,
      { says: [connected], fails: unreachable },
      { says: [connected] },
    ])
    await expect.poll(() => avoided).toEqual([[], [server], []])
    expect(delays).toHaveLength(1)
    await end()
  })
})
