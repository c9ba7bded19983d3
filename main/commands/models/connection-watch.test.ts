import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionNews } from '../../../contract/state'
import type { ConnectionState } from '../../../contract/connection'
import { ConnectionLog } from '../../app/diagnostics/connection-log'
import { TrafficMeter } from '../../platform/traffic/traffic-meter'
import { ConnectionWatch } from './connection-watch'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const connected: ConnectionState = {
  state: 'connected',
  target: { instanceId: 'vpn.example.org', profileId: 'office' },
  addresses: {},
  remote: { address: '192.0.2.7', port: 1194, protocol: 'udp' },
  device: 'tun0',
  since: 0,
}

/** Watches a tunnel that receives 1000 bytes per second, and records what is sent. */
function tunnel() {
  const began = Date.now()
  let reads = 0
  const meter = new TrafficMeter({
    fromZero: true,
    isCheap: true,
    read: () => {
      reads += 1
      return Promise.resolve({ at: Date.now(), received: Date.now() - began, sent: 0 })
    },
  })
  meter.follow(connected)
  const log = new ConnectionLog(() => new Date())
  const watch = new ConnectionWatch(meter, log)
  const received: ConnectionNews[] = []
  watch.onNews((news) => {
    received.push(news)
  })
  return {
    watch,
    log,
    received,
    reads: () => reads,
    lines: () => received.map((news) => news.log?.map(({ text }) => text)),
  }
}

describe('traffic', () => {
  it('is sent at once and then every second until stopped', async () => {
    const { watch, received, reads } = tunnel()
    await vi.advanceTimersByTimeAsync(5000)
    expect(reads()).toBe(0)
    watch.watchTraffic()
    await vi.advanceTimersByTimeAsync(0)
    expect(received).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(3000)
    expect(received).toHaveLength(4)
    expect(received.at(-1)?.traffic?.totals).toEqual({ received: 8000, sent: 0 })
    expect(received.at(-1)?.traffic?.points.map(({ down }) => down)).toEqual([1000, 1000, 1000])
    watch.stopTraffic()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reads()).toBe(4)
  })

  it('is not sent if the watch stops during a read', async () => {
    const { watch, received } = tunnel()
    watch.watchTraffic()
    watch.stop()
    await vi.advanceTimersByTimeAsync(5000)
    expect(received).toEqual([])
  })

  it('is read once per second even if watched twice', async () => {
    const { watch, reads } = tunnel()
    watch.watchTraffic()
    watch.watchTraffic()
    await vi.advanceTimersByTimeAsync(3000)
    expect(reads()).toBeLessThanOrEqual(5)
  })
})

describe('the log', () => {
  it('is sent from the given line on, in batches', () => {
    const { watch, log, lines } = tunnel()
    for (const line of ['one', 'two']) log.add(line)
    watch.watchLog(1)
    expect(lines()).toEqual([['two']])
    for (let line = 0; line < 500; line += 1) log.add(`line ${line}`)
    expect(lines()).toHaveLength(1)
    vi.advanceTimersByTime(200)
    expect(lines()).toHaveLength(2)
    expect(lines()[1]).toHaveLength(500)
    vi.advanceTimersByTime(60_000)
    log.add('last')
    vi.advanceTimersByTime(200)
    expect(lines()[2]).toEqual(['last'])
  })

  it('is not sent while not watched', () => {
    const { watch, log, received } = tunnel()
    log.add('before')
    watch.watchLog(1)
    log.add('was about to be told')
    watch.stop()
    log.add('after')
    vi.advanceTimersByTime(60_000)
    expect(received).toEqual([])
  })
})
