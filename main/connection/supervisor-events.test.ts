import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { CausewayError } from '../errors'
import { type TunnelEvent, TunnelFailure } from '../tunnel/tunnel'
import {
  codeOf,
  connected,
  details,
  failedAgain,
  lost,
  notListening,
  portalGone,
  refused,
  times,
  tlsError,
  unreachable,
  world,
} from './supervisor.testing'

const up = { says: [connected], fails: unreachable }
const remote = { host: 'vpn.example.org', port: 1194, protocol: 'udp' } as const
const silent = new TunnelFailure({ failureClass: 'silent', reason: 'no-answer' }, 'wireguard/no-answer')

describe('a tunnel', () => {
  it('shows when its keys were agreed on, and passes on its log', async () => {
    const lines: string[] = []
    const { settled, states, end } = world(
      [{ says: [{ event: 'log', line: 'hello' }, connected, { event: 'handshake', at: 5 }] }],
      {},
      undefined,
      { onLog: (line) => void lines.push(line) },
    )
    await settled()
    expect(states.at(-1)).toMatchObject({ state: 'connected', handshakeAt: 5 })
    expect(lines).toEqual(['hello'])
    await end()
  })

  it('that is not to be restored ends when it is lost, and not with the network', async () => {
    const { settled, tell, states, running } = world(
      [{ says: [connected], afterRoutes: [lost] }],
      {},
      undefined,
      { reconnect: false },
    )
    await settled()
    tell('changed')
    expect(states.at(-1)).toMatchObject({ state: 'connected' })
    tell('routes')
    await expect(running).rejects.toMatchObject({
      code: 'connection/lost',
      details: { reason: 'ping-restart' },
    })
  })

  it('is restored at a change of the network until it has ended', async () => {
    const { settled, watching, end } = world([{ says: [connected] }])
    await settled()
    expect(watching()).toBe(1)
    await end()
    expect(watching()).toBe(0)
  })

  it('tells the grant once a server has accepted it', async () => {
    const accepted = vi.fn()
    const { settled, end } = world([{ says: [connected] }], { connected: accepted })
    await settled()
    expect(accepted).toHaveBeenCalledTimes(1)
    await end()
  })

  it('is ended without an error just after the person asked for a new start', async () => {
    const { settled, reconnect, end, started } = world([{ says: [connected] }])
    await settled()
    reconnect()
    await end()
    expect(started()).toBe(1)
  })

  it('says nothing more once it is being ended', async () => {
    const { settled, tell, states, end } = world([
      { says: [connected], afterRoutes: [{ event: 'passing', passing: false }] },
    ])
    await settled()
    const ended = end()
    tell('routes')
    await ended
    expect(states).toHaveLength(1)
  })

  it('that is stuck goes to another server once the network is back, which its being up shows', async () => {
    const stuck: TunnelEvent = { event: 'stuck', tried: [remote] }
    const { settled, tell, avoided, end } = world([
      { says: [connected], afterRoutes: [stuck, connected, stuck] },
      { says: [connected] },
    ])
    await settled()
    tell('down')
    tell('routes')
    await settled()
    expect(avoided).toEqual([[], [remote]])
    await end()
  })

  it.each([
    ['kept', { ...details, allTraffic: true, routes: ['0.0.0.0/0'] }],
    ['gone', details],
  ])('shows on a new start whether its routes stand (%s)', async (routes, given) => {
    const { settled, reconnect, states, end } = world([
      { says: [{ event: 'connected', details: given }] },
      { says: [connected] },
    ])
    await settled()
    reconnect()
    expect(states.at(-1)).toMatchObject({ state: 'reconnecting', reason: 'requested', routes })
    await settled()
    await end()
  })

  it('that is not up yet is started again with the same servers', async () => {
    const phase: TunnelEvent = {
      event: 'phase',
      phase: 'verifying',
      remote: { ...remote, address: '192.0.2.1' },
    }
    const { settled, reconnect, avoided, end } = world([up, { says: [phase] }, { says: [connected] }])
    await settled()
    reconnect()
    await settled()
    expect(avoided).toEqual([[], [], []])
    await end()
  })
})

describe('after a tunnel was up', () => {
  it.each([
    ['one was', false, undefined],
    ['two were', true, 'new-too'],
  ])('a rejected certificate is final where %s tried', async (_count, isReplacement, variant) => {
    const rejected = new TunnelFailure(
      { failureClass: 'credentials', reason: 'tls-error' },
      'openvpn/certificate-rejected',
    )
    const { running } = world([up, { fails: rejected }], {
      isReplacement,
      renew: () => Promise.resolve(false),
    })
    await expect(running).rejects.toMatchObject({ code: 'openvpn/certificate-rejected', variant })
  })

  it('six refusals that the portal cannot explain lead to new credentials, and end it without any', async () => {
    const answers = (isRenewed: boolean) => ({
      check: () => Promise.resolve('login-accepted' as const),
      renew: () => Promise.resolve(isRenewed),
    })
    const runs = [up, ...times(6, { fails: refused }), { says: [connected] }]
    const renewed = world(runs, answers(true))
    await renewed.settled()
    expect(renewed.started()).toBe(8)
    await renewed.end()
    expect(await codeOf(world(runs, answers(false)).running)).toBe('openvpn/authentication-failed')
  })

  it('a server that gives no answer elsewhere gets new credentials where the profile has no TCP', async () => {
    const { settled, asked, end } = world(
      [{ says: [connected], fails: silent }, { fails: silent }, { says: [connected] }],
      {},
      undefined,
      { isElsewhere: true },
    )
    await settled()
    expect(asked).toEqual(['tcp', 'renew'])
    await end()
  })
})

describe('the configuration', () => {
  const failing = [connected, lost, ...times(3, failedAgain)]

  it('is asked for through the tunnel again once it was up since the portal was cut off', async () => {
    const { settled, asked, started, end } = world([{ says: [...failing, ...failing] }], {
      refresh: () => Promise.reject(portalGone),
    })
    await settled()
    expect([asked, started()]).toEqual([['refresh', 'refresh'], 1])
    await end()
  })

  it('is asked for through the tunnel again once it was had without it', async () => {
    const answers = [portalGone]
    const { settled, asked, started, end } = world(
      [{ says: [...failing, ...times(3, failedAgain)] }, { says: times(3, failedAgain) }],
      {
        refresh: () => {
          const error = answers.shift()
          return error === undefined ? Promise.resolve(false) : Promise.reject(error)
        },
      },
    )
    await settled()
    await expect.poll(started).toBe(2)
    await settled()
    expect([asked, started()]).toEqual([times(3, 'refresh'), 2])
    await end()
  })

  it('is asked for through the tunnel in another network than where the portal was cut off', async () => {
    const { settled, tell, asked, started, end } = world(
      [{ says: failing }, { says: times(3, failedAgain) }],
      { refresh: () => Promise.reject(portalGone) },
    )
    await settled()
    tell('changed')
    await settled()
    expect([asked, started()]).toEqual([['refresh', 'refresh'], 2])
    await end()
  })

  it('is asked for while the tunnel keeps retrying where the portal has answered, if only with an error', async () => {
    const error = new CausewayError('vpn-api/server-error', {
      details: { host: 'vpn.example.org', status: 503 },
    })
    const { settled, asked, started, end } = world([{ says: [...failing, ...times(3, failedAgain)] }], {
      refresh: () => Promise.reject(error),
    })
    await settled()
    expect([asked, started()]).toEqual([['refresh', 'refresh'], 1])
    await end()
  })

  it('is not asked for when a tunnel that was up is lost in TLS', async () => {
    const { settled, asked, end } = world([{ says: [connected, tlsError] }])
    await settled()
    expect(asked).toEqual([])
    await end()
  })

  it('is not asked for after an attempt that failed in TLS in another network', async () => {
    let isDue = false
    const { settled, tell, asked, started, end } = world(
      [{ says: [connected, lost, tlsError] }, { says: [failedAgain] }],
      { isRefreshDue: () => isDue },
    )
    await settled()
    isDue = true
    tell('changed')
    await settled()
    expect([asked, started()]).toEqual([[], 2])
    await end()
  })

  it.each([
    ['all servers', true, []],
    ['the other servers', false, [remote]],
  ])('is tried with %s (refreshed: %s)', async (_which, isFresh, expected) => {
    let isDue = false
    const { settled, tell, avoided, end } = world(
      [{ says: [...failing, failedAgain], afterRoutes: [notListening] }, { says: [connected] }],
      { isRefreshDue: () => isDue },
    )
    await settled()
    isDue = isFresh
    tell('routes')
    await settled()
    expect(avoided).toEqual([[], expected])
    await end()
  })

  it('that has changed is used at once, also while the next attempt waits', async () => {
    let answer: (hasChanged: boolean) => void = () => undefined
    const { settled, delays, started, end } = world(
      [{ says: failing, fails: unreachable }, { says: [connected] }],
      {
        refresh: () =>
          new Promise((resolve) => {
            answer = resolve
          }),
      },
      undefined,
      { wait: () => new Promise(() => undefined) },
    )
    await expect.poll(() => delays).toHaveLength(1)
    expect(started()).toBe(1)
    answer(true)
    await settled()
    expect(started()).toBe(2)
    await end()
  })

  it('is not being asked for any more once the connection has ended', async () => {
    let answer: (hasChanged: boolean) => void = () => undefined
    const { settled, end } = world([{ says: failing }], {
      refresh: () =>
        new Promise((resolve) => {
          answer = resolve
        }),
    })
    await settled()
    let hasEnded = false
    const ended = end().then(() => (hasEnded = true))
    await setImmediate()
    expect(hasEnded).toBe(false)
    answer(false)
    await ended
  })

  it('is asked for by how long no server has answered, and a refusal is an answer', async () => {
    let now = 0
    const silences: number[] = []
    const { settled, end } = world(
      [up, { fails: refused }, ...times(3, { fails: unreachable }), { says: [connected] }],
      {
        check: () => {
          now += 10_000
          return Promise.resolve('accepted')
        },
        isRefreshDue: (silentMs) => silences.push(silentMs) === 0,
      },
      () => now,
    )
    await settled()
    expect(new Set(silences)).toEqual(new Set([0]))
    await end()
  })
})
