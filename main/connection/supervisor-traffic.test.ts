import { describe, expect, it } from 'vitest'
import type { TunnelEvent } from '../tunnel/tunnel'
import { target, details, connected, lost, refused, unreachable, world } from './supervisor.testing'

describe('the routes', () => {
  const full: TunnelEvent = {
    event: 'connected',
    details: { ...details, allTraffic: true, routes: ['0.0.0.0/0'] },
  }
  const fewer = { ...details, allTraffic: false, routes: ['10.0.0.0/8'] }

  it('change what the tunnel is said to carry while it is up', async () => {
    const { settled, tell, states, end } = world([
      { says: [full], afterRoutes: [{ event: 'routes', details: fewer, routes: 'gone' }] },
    ])
    await settled()
    tell('routes')
    expect(states.at(-1)).toEqual({
      state: 'connected',
      target,
      protocol: 'openvpn',
      ...fewer,
      since: 1_000_000,
    })
    const received = states.at(-1)
    tell('routes')
    // Nobody is told of the same state.
    expect(states.at(-1)).toBe(received)
    await end()
  })

  it('are shown as kept or gone while reconnecting', async () => {
    const { settled, tell, states, end } = world([
      { says: [full, lost], afterRoutes: [{ event: 'routes', details: fewer, routes: 'gone' }] },
    ])
    await settled()
    expect(states.at(-1)).toMatchObject({ state: 'reconnecting', routes: 'kept' })
    tell('routes')
    expect(states.at(-1)).toMatchObject({ state: 'reconnecting', routes: 'gone' })
    await end()
  })

  it('are gone once the program has ended', async () => {
    const { settled, states, end } = world([{ says: [full], fails: unreachable }, { says: [full] }])
    await settled()
    expect(states.filter(({ state }) => state === 'reconnecting')).not.toEqual([])
    for (const state of states) if (state.state === 'reconnecting') expect(state.routes).toBe('gone')
    await end()
  })

  it('are gone with a tunnel that is restarted in another network', async () => {
    const { settled, tell, states, end } = world([{ says: [full] }, { says: [full] }])
    await settled()
    tell('changed')
    await settled()
    expect(states.flatMap((state) => (state.state === 'reconnecting' ? [state.routes] : []))).toEqual([
      'kept',
      'gone',
    ])
    await end()
  })
})

describe('a tunnel through which nothing passes', () => {
  const via: TunnelEvent = {
    event: 'phase',
    phase: 'contacting',
    remote: { host: 'vpn.example.org', address: '192.0.2.1', port: 1194, protocol: 'udp' },
  }
  const nothing: TunnelEvent = { event: 'passing', passing: false }

  it('is connected, with that, until something passes or it is lost', async () => {
    const { settled, states, end } = world([
      { says: [connected, nothing, { event: 'passing', passing: true }, nothing, lost] },
    ])
    await settled()
    expect(states.map((state) => [state.state, 'passing' in state ? state.passing : undefined])).toEqual([
      ['connected', undefined],
      ['connected', false],
      ['connected', undefined],
      ['connected', false],
      ['reconnecting', undefined],
    ])
    await end()
  })

  it('keeps that when routes change', async () => {
    const { settled, tell, states, end } = world([
      { says: [connected, nothing], afterRoutes: [{ event: 'routes', details, routes: 'kept' }] },
    ])
    await settled()
    tell('routes')
    expect(states.at(-1)).toMatchObject({ state: 'connected', passing: false })
    await end()
  })

  it.each(['reconnect', 'retry'] as const)('is replaced by one of another server on %s', async (how) => {
    const { supervisor, settled, avoided, end } = world([
      { says: [via, connected, nothing] },
      { says: [connected] },
    ])
    await settled()
    supervisor.again(how)
    await settled()
    expect(avoided).toEqual([[], [{ host: 'vpn.example.org', port: 1194, protocol: 'udp' }]])
    await end()
  })

  it.each(['reconnect', 'retry'] as const)(
    'is also replaced by one of another server on %s after its end',
    async (how) => {
      let answer: (outcome: 'accepted') => void = () => undefined
      const { supervisor, asked, avoided, states, delays, settled, end } = world(
        [{ says: [via, connected, nothing], fails: refused }, { says: [connected] }],
        {
          check: () =>
            new Promise((resolve) => {
              answer = resolve
            }),
        },
      )
      await expect.poll(() => asked).toEqual(['check'])
      // There is no tunnel any more.
      expect(states.at(-1)).toEqual({
        state: 'reconnecting',
        target,
        reason: 'authentication-failed',
        attempt: 1,
        routes: 'gone',
      })
      supervisor.again(how)
      answer('accepted')
      await settled()
      expect(avoided).toEqual([[], [{ host: 'vpn.example.org', port: 1194, protocol: 'udp' }]])
      expect(delays).toEqual([])
      await end()
    },
  )

  it('is also replaced by one of another server on request during the wait', async () => {
    const { supervisor, avoided, delays, settled, end } = world(
      [{ says: [via, connected, nothing], fails: unreachable }, { says: [connected] }],
      {},
      undefined,
      { wait: () => new Promise(() => undefined) },
    )
    await expect.poll(() => delays).toHaveLength(1)
    supervisor.again('retry')
    await settled()
    expect(avoided).toEqual([[], [{ host: 'vpn.example.org', port: 1194, protocol: 'udp' }]])
    await end()
  })

  it('is the only one whose server is avoided', async () => {
    const { supervisor, settled, avoided, end } = world([{ says: [via, connected] }, { says: [connected] }])
    await settled()
    supervisor.again('reconnect')
    await settled()
    expect(avoided).toEqual([[], []])
    await end()
  })

  it('is the only one that retry replaces', async () => {
    const { supervisor, settled, started, end } = world([{ says: [connected] }])
    await settled()
    supervisor.again('retry')
    expect(started()).toBe(1)
    await end()
  })
})
