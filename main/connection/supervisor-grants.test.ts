import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import {
  connected,
  lost,
  failedAgain,
  tlsError,
  notListening,
  unreachable,
  portalGone,
  world,
  times,
  codeOf,
  rejectedCertificate,
} from './supervisor.testing'

describe('the configuration of a tunnel that was up', () => {
  it('is asked for only after as long a silence as its portal wants, and not for that of another network', async () => {
    const asked: number[] = []
    let now = 0
    const { settled, tell, end } = world(
      [
        {
          says: [connected, lost, ...times(4, failedAgain)],
          recovers: true,
          afterRoutes: [failedAgain, failedAgain],
        },
      ],
      { isRefreshDue: (silentMs) => asked.push(silentMs) > 100 },
      () => (now += 1000),
    )
    await settled()
    expect(asked.length).toBeGreaterThan(0)
    expect(asked).toEqual(asked.toSorted((one, other) => one - other))
    expect(asked.at(-1)).toBeGreaterThanOrEqual(4000)
    tell('changed')
    await end()
  })

  it('is asked for after as long a silence if the clock is set back meanwhile', async () => {
    const asked: number[] = []
    let now = 3_600_000
    const { settled, end } = world(
      [{ says: [connected, lost, ...times(8, failedAgain)] }],
      { isRefreshDue: (silentMs) => asked.push(silentMs) > 100 },
      () => {
        now = asked.length === 1 && now > 3_000_000 ? 0 : now + 1000
        return now
      },
    )
    await settled()
    expect(asked[0]).toBeGreaterThan(0)
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(0)
    expect(asked.at(-1)).toBeGreaterThan(0)
    await end()
  })

  it('is not fetched if one of the next attempts connects', async () => {
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

  it('is fetched while OpenVPN runs after three failed attempts, and again after three more', async () => {
    const { settled, asked, started, end } = world([{ says: [connected, lost, ...times(6, failedAgain)] }])
    await settled()
    expect(asked).toEqual(['refresh', 'refresh'])
    expect(started()).toBe(1)
    await end()
  })

  it('replaces the current one if it has changed', async () => {
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

  it('is fetched without the routes of the tunnel if the portal was not reached through them', async () => {
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

  it('is kept while the portal cannot be reached, and the tunnel keeps retrying', async () => {
    const { settled, started, asked, end } = world(
      [{ says: [connected], fails: unreachable }, ...times(8, { fails: unreachable }), { says: [connected] }],
      { refresh: () => Promise.reject(portalGone) },
    )
    await settled()
    expect(started()).toBe(10)
    expect(asked).toEqual(times(2, 'refresh'))
    await end()
  })

  it('is not fetched again before the time that a busy portal has named', async () => {
    const details = { host: 'vpn.example.org', status: 429, retryAfterSeconds: 60 }
    const { settled, started, asked, end } = world(
      [{ says: [connected], fails: unreachable }, ...times(8, { fails: unreachable }), { says: [connected] }],
      { refresh: () => Promise.reject(new CausewayError('service/busy', { details })) },
    )
    await settled()
    expect(started()).toBe(10)
    expect(asked).toEqual(['refresh'])
    await end()
  })

  it('is fetched again if the clock is set back after a busy portal has named a time', async () => {
    const details = { host: 'vpn.example.org', status: 429, retryAfterSeconds: 60 }
    let now = 10 * 3_600_000
    const { settled, asked, end } = world(
      [{ says: [connected], fails: unreachable }, ...times(8, { fails: unreachable }), { says: [connected] }],
      { refresh: () => Promise.reject(new CausewayError('service/busy', { details })) },
      () => now,
      {
        wait: () => {
          if (asked.length === 1) now = 0
          return Promise.resolve()
        },
      },
    )
    await settled()
    expect(asked).toEqual(times(2, 'refresh'))
    await end()
  })

  it('ends the tunnel if the portal no longer offers the profile', async () => {
    const { running, started } = world(
      [{ says: [connected, lost, ...times(3, failedAgain)] }, { says: [connected] }],
      { refresh: () => Promise.reject(new CausewayError('vpn-api/profile-unavailable')) },
    )
    expect(await codeOf(running)).toBe('vpn-api/profile-unavailable')
    expect(started()).toBe(1)
  })

  it('ends the tunnel on a defect, which is not taken for a portal that cannot be reached', async () => {
    const defect = new TypeError('x is not a function')
    const { running, started } = world(
      [{ says: [connected, lost, ...times(3, failedAgain)] }, { says: [connected] }],
      { refresh: () => Promise.reject(defect) },
    )
    await expect(running).rejects.toBe(defect)
    expect(started()).toBe(1)
  })

  it('is not fetched for the failures of another network', async () => {
    const { settled, tell, asked, started, end } = world([
      { says: [connected, lost, failedAgain, failedAgain] },
      { says: [failedAgain, failedAgain] },
    ])
    await settled()
    tell('changed')
    await settled()
    expect({ asked, started: started() }).toEqual({ asked: [], started: 2 })
    await end()
  })

  it('is not fetched without a network', async () => {
    let isDue = false
    const { settled, tell, asked, started, end } = world(
      [
        { says: [connected, lost, ...times(4, failedAgain)], afterRoutes: [notListening] },
        { says: [connected] },
      ],
      { isRefreshDue: () => isDue },
    )
    await settled()
    isDue = true
    tell('down')
    tell('routes')
    await settled()
    expect({ asked, started: started() }).toEqual({ asked: [], started: 2 })
    await end()
  })

  it('is not fetched when the computer wakes up, which retries at once', async () => {
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

it('starts no tunnel after it was ended while the portal was asked', async () => {
  let ended: Promise<unknown> = Promise.resolve()
  const one = world([{ fails: rejectedCertificate }], {
    renew: () => {
      ended = one.end().catch(() => undefined)
      return Promise.resolve(true)
    },
  })
  await expect(one.running).rejects.toThrow('aborted')
  await ended
  expect(one.started()).toBe(1)
})
