import { describe, expect, it } from 'vitest'
import type { Remote, TunnelEvent } from '../tunnel/tunnel'
import {
  connected,
  lost,
  failedAgain,
  notListening,
  unverified,
  unreachable,
  portalGone,
  type Run,
  world,
  times,
  codeOf,
  silent,
  blocked,
} from './supervisor.testing'

describe('a server that does not answer', () => {
  it('is final before the first tunnel if the profile has no TCP', async () => {
    const { running, asked, started } = world([{ fails: silent }])
    expect(await codeOf(running)).toBe('wireguard/no-answer')
    expect([asked, started()]).toEqual([['tcp'], 1])
  })

  it('is tried over TCP once, which is told when that tunnel is up', async () => {
    let ways = 1
    const moveToTcp = () => Promise.resolve((ways -= 1) === 0)
    const { asked, settled, end } = world([{ fails: silent }, { says: [connected] }], { moveToTcp })
    await settled()
    expect(asked).toEqual(['tcp', 'moved'])
    await end()
    const second = world([{ fails: silent }, { fails: silent }], {
      moveToTcp: (
        (left) => () =>
          Promise.resolve((left -= 1) === 0)
      )(1),
    })
    expect(await codeOf(second.running)).toBe('wireguard/no-answer')
    expect(second.asked).toEqual(['tcp', 'tcp'])
  })

  it('is tried over TCP if a tunnel that was just up carries nothing; otherwise that is final', async () => {
    const runs = [{ says: [connected], fails: blocked }, { says: [connected] }]
    const moved = world(runs, { moveToTcp: () => Promise.resolve(true) })
    await moved.settled()
    expect(moved.asked).toEqual(['tcp', 'moved'])
    expect(moved.states.find(({ state }) => state === 'reconnecting')).toMatchObject({ reason: 'no-answer' })
    await moved.end()
    expect(await codeOf(world(runs).running)).toBe('wireguard/blocked')
  })

  it('gets the same credentials once more, then new ones', async () => {
    const { asked, settled, started, delays, end } = world([
      { says: [connected], fails: silent },
      { fails: silent },
      { says: [connected] },
    ])
    await settled()
    expect([asked, delays, started()]).toEqual([['renew'], [1000], 3])
    await end()
  })

  it('has ended the connection if it does not answer new credentials either', async () => {
    const left = [true, false]
    const { running, asked } = world([{ says: [connected], fails: silent }, ...times(9, { fails: silent })], {
      renew: () => Promise.resolve(left.shift() ?? false),
    })
    expect(await codeOf(running)).toBe('connection/ended-by-service')
    expect(asked).toEqual(['renew', 'renew'])
  })

  it('is tried again with the same credentials while the portal cannot be reached', async () => {
    const { asked, settled, started, end } = world(
      [{ says: [connected], fails: silent }, { fails: silent }, { fails: silent }, { says: [connected] }],
      { renew: () => Promise.reject(portalGone) },
    )
    await settled()
    expect([asked, started()]).toEqual([['renew', 'renew'], 4])
    await end()
  })
})

describe('silence in another network', () => {
  const runs = [
    { says: [connected], fails: unreachable },
    ...times(3, { fails: silent }),
    { says: [connected] },
  ]

  it('is tried over TCP, because the network may carry no UDP', async () => {
    let free = (): void => undefined
    const opens = new Promise<void>((resolve) => {
      free = resolve
    })
    const { asked, started, tell, settled, end } = world(
      [
        { says: [connected], fails: unreachable },
        { opens, fails: silent },
        ...times(2, { fails: silent }),
        {},
      ],
      { moveToTcp: () => Promise.resolve(true) },
      undefined,
      { isElsewhere: true },
    )
    await expect.poll(started).toBe(2)
    tell('changed')
    free()
    await settled()
    expect(asked).toEqual(['tcp'])
    await end()
  })

  it('says nothing about UDP in a network that has carried it, also after sleep', async () => {
    const { asked, tell, settled, end } = world(runs, { moveToTcp: () => Promise.resolve(true) })
    tell('resumed')
    await settled()
    expect(asked).toEqual(['renew'])
    await end()
  })
})

describe('a tunnel that finds its server again by itself', () => {
  it('is not restarted after a change of network, a sleep, or on request', async () => {
    const { asked, states, settled, started, tell, reconnect, end } = world([
      { says: [connected], recovers: true },
    ])
    await settled()
    tell('changed')
    tell('resumed')
    reconnect()
    expect(asked).toEqual(['recover', 'recover', 'recover'])
    const shown = states.map((state) => ('reason' in state ? state.reason : state.state))
    expect(shown.slice(-6)).toEqual([
      'network-changed',
      'connected',
      'resumed-from-sleep',
      'connected',
      'requested',
      'connected',
    ])
    expect(started()).toBe(1)
    await end()
  })

  it('is restarted if it has not found it yet', async () => {
    const { asked, settled, started, tell, end } = world([
      { says: [connected], fails: silent },
      { fails: silent },
      { recovers: true },
      { says: [connected] },
    ])
    await settled()
    expect(started()).toBe(3)
    tell('changed')
    await settled()
    expect([asked, started()]).toEqual([['renew'], 4])
    await end()
  })

  it('waits while there is no network', async () => {
    const { asked, states, settled, tell, end } = world([{ says: [connected], recovers: true }])
    await settled()
    tell('down')
    expect(asked).toEqual(['pause'])
    expect(states.at(-1)).toMatchObject({ state: 'reconnecting', waitingForNetwork: true })
    tell('up')
    expect(asked).toEqual(['pause', 'recover'])
    await end()
  })
})

describe('a server that fails verification', () => {
  const runs = [{ says: [connected], fails: unreachable }, { fails: unverified }, { says: [connected] }]

  it('is given up if the configuration is unchanged', async () => {
    const { running, asked } = world(runs)
    expect(await codeOf(running)).toBe('openvpn/server-not-verified')
    expect(asked).toEqual(['refresh'])
  })

  it('is retried if the configuration has changed', async () => {
    const { settled, started, end } = world(runs, { refresh: () => Promise.resolve(true) })
    await settled()
    expect(started()).toBe(3)
    await end()
  })
})

describe('a server that is not listening', () => {
  const server: Remote = { host: 'vpn.example.org', port: 1194, protocol: 'udp' }
  const nobody: Run = { says: [{ event: 'phase', phase: 'contacting' }, notListening] }

  it('is skipped by the next attempt, which starts at once, and tried again after a connection', async () => {
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

it('skips servers that are not listening until the portal is asked for others', async () => {
  const notListeningAt = (port: number): TunnelEvent => ({ event: 'refused', remote: remote(port) })
  const remote = (port: number): Remote => ({ host: 'vpn.example.org', port, protocol: 'udp' })
  const { asked, avoided, end } = world([
    { says: [connected, lost, notListeningAt(1)] },
    { says: [failedAgain, notListeningAt(2)] },
    { says: [failedAgain, failedAgain, notListeningAt(3)] },
    { says: [connected] },
  ])
  await expect.poll(() => avoided).toEqual([[], [remote(1)], [remote(1), remote(2)], [remote(3)]])
  expect(asked).toEqual(['refresh'])
  await end()
})

describe('a lost tunnel that is in the way of another server', () => {
  const stuck: TunnelEvent = { event: 'stuck', tried: [{ host: '192.0.2.1', port: 1194, protocol: 'udp' }] }

  it('is taken down, and other servers come first', async () => {
    const { settled, avoided, states, end } = world([
      { says: [connected, lost, stuck] },
      { says: [connected] },
    ])
    await settled()
    await settled()
    expect(avoided).toEqual([[], [{ host: '192.0.2.1', port: 1194, protocol: 'udp' }]])
    expect(states.map((state) => (state.state === 'reconnecting' ? state.routes : state.state))).toEqual([
      'connected',
      'kept',
      'gone',
      'connected',
    ])
    await end()
  })

  it('stays while there is no network', async () => {
    const { settled, tell, started, end } = world([
      { says: [connected], afterRoutes: [lost, stuck] },
      { says: [connected] },
    ])
    await settled()
    tell('down')
    tell('routes')
    expect(started()).toBe(1)
    await end()
  })
})
