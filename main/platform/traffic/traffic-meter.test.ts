import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import { TrafficMeter } from './traffic-meter'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }

function connected(device: string | undefined, profileId = 'internet'): ConnectionState {
  return {
    state: 'connected',
    target: { ...target, profileId },
    addresses: {},
    remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
    device,
    since: 0,
  }
}

/** Creates a meter for a device whose counters and clock the test sets. */
function open(fromZero = true) {
  const now = { at: 0, received: 0, sent: 0, there: true, reads: 0 }
  const meter = new TrafficMeter(
    {
      fromZero,
      isCheap: true,
      read: () => {
        now.reads += 1
        const { at, received, sent } = now
        return Promise.resolve(now.there ? { at, received, sent } : undefined)
      },
    },
    () => now.at,
  )
  /** Reads the meter after this time and these additional bytes. */
  const after = (milliseconds: number, down: number, up: number) => {
    now.at += milliseconds
    now.received += down
    now.sent += up
    return meter.read()
  }
  return { meter, now, after }
}

describe('the traffic of the tunnel', () => {
  it('is read on request, as totals and rates', async () => {
    const { meter, now, after } = open()
    meter.follow(connected('tun0'))
    expect(now.reads).toBe(0)
    expect(await after(1000, 500, 100)).toEqual({
      at: 1000,
      totals: { received: 500, sent: 100 },
      points: [],
    })
    expect((await after(1000, 2000, 10)).points).toEqual([{ at: 2000, down: 2000, up: 10 }])
    expect(await after(2000, 2000, 0)).toMatchObject({
      totals: { received: 4500, sent: 110 },
      points: [
        { at: 2000, down: 2000, up: 10 },
        { at: 4000, down: 1000, up: 0 },
      ],
    })
  })

  it('is empty without a device, counters or a source', async () => {
    const nothing = { totals: undefined, points: [] }
    const { meter, now, after } = open()
    expect(await meter.read()).toMatchObject(nothing)
    meter.follow(connected(undefined))
    expect(await after(1000, 1, 1)).toMatchObject(nothing)
    expect(now.reads).toBe(0)
    meter.follow(connected('tun0'))
    now.there = false
    expect(await after(1000, 1, 1)).toMatchObject(nothing)
    const blind = new TrafficMeter(undefined)
    blind.follow(connected('tun0'))
    expect(await blind.read()).toMatchObject(nothing)
  })

  it('has no rate at a reset of the counters, and never a negative one', async () => {
    const { meter, now, after } = open()
    meter.follow(connected('tun0'))
    await after(1000, 9000, 9000)
    await after(1000, 1000, 1000)
    meter.follow({ state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' })
    now.received = 0
    now.sent = 0
    meter.follow(connected('tun0'))
    expect((await after(1000, 10, 10)).points).toHaveLength(1)
    const { points, totals } = await after(1000, 50, 60)
    expect(points).toEqual([
      { at: 2000, down: 1000, up: 1000 },
      { at: 4000, down: 50, up: 60 },
    ])
    expect(totals).toEqual({ received: 60, sent: 70 })
  })

  it('keeps its points across a reconnect to another device, but not for another connection', async () => {
    const { meter, after } = open()
    meter.follow(connected('tun0'))
    await after(1000, 0, 0)
    await after(1000, 7, 7)
    meter.follow(connected('tun1'))
    expect((await after(1000, 900, 0)).points).toHaveLength(1)
    meter.follow(connected('tun1', 'office'))
    expect((await after(1000, 1, 1)).points).toEqual([])
    await after(1000, 1, 1)
    meter.follow({ state: 'disconnected', target })
    expect((await after(1000, 1, 1)).points).toEqual([])
  })

  it('has no points for intervals without readings', async () => {
    const { meter, after } = open()
    meter.follow(connected('tun0'))
    await after(1000, 0, 0)
    expect((await after(60_000, 1e9, 0)).points).toEqual([])
    expect((await after(1000, 10, 0)).points).toEqual([{ at: 62_000, down: 10, up: 0 }])
    // Too short after the last reading for a rate.
    expect((await after(10, 10, 0)).points).toHaveLength(1)
    expect((await after(990, 10, 0)).points.at(-1)).toEqual({ at: 63_000, down: 20, up: 0 })
  })

  it('excludes earlier traffic of a device that outlives its tunnels', async () => {
    const { meter, now, after } = open(false)
    now.received = 1e6
    now.sent = 1e6
    meter.follow(connected('OpenVPN Wintun'))
    expect((await after(1000, 10, 20)).totals).toEqual({ received: 10, sent: 20 })
  })

  it('keeps five minutes of points', async () => {
    const { meter, after } = open()
    meter.follow(connected('tun0'))
    for (let second = 0; second < 400; second++) await after(1000, second, 0)
    const { points } = await after(1000, 0, 0)
    expect(points).toHaveLength(300)
    expect(points[0]?.at).toBe(102_000)
  })
})
