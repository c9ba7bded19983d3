import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AttemptTimer, TimeLimit } from './attempts'
import type { ConnectionEvent } from './transitions'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

describe('the wait for the next attempt', () => {
  /** A timer with a manual clock; `outcome` of its waits, `waits` that were shown. */
  function world(random = 0.5) {
    const waits: ConnectionEvent[] = []
    const delays: number[] = []
    const clock = { now: 1_000_000 }
    const abort = new AbortController()
    const timer = new AttemptTimer(
      {
        delay: async (milliseconds, signal) => {
          delays.push(milliseconds)
          signal.throwIfAborted()
          await new Promise((resolve, reject) => {
            const waiting = setTimeout(resolve, milliseconds)
            signal.addEventListener('abort', () => {
              clearTimeout(waiting)
              reject(new Error('aborted'))
            })
          })
        },
        random: () => random,
        now: () => new Date(clock.now),
      },
      {
        send: (event) => {
          waits.push(event)
          return { state: 'idle' }
        },
      },
    )
    const wait = () =>
      timer.wait({ reason: 'unreachable', routes: 'gone', notYetConnected: true }, abort.signal)
    return { timer, waits, delays, clock, abort, wait }
  }

  it('gets longer after each failure, up to half a minute', async () => {
    const { wait, delays, waits } = world()
    for (let failures = 0; failures < 7; failures += 1) {
      const waiting = wait()
      await vi.advanceTimersByTimeAsync(30_000)
      expect(await waiting).toBe(true)
    }
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
    expect(waits[1]).toEqual({
      event: 'wait',
      reason: 'unreachable',
      attempt: 2,
      routes: 'gone',
      notYetConnected: true,
      nextAttemptAt: 1_002_000,
    })
  })

  it.each([
    [0, 800],
    [0.999, 1200],
  ])('differs between computers by up to a fifth (%f)', (random, milliseconds) => {
    const { wait, delays } = world(random)
    void wait()
    expect(delays).toEqual([milliseconds])
  })

  it('is as long as a service asks for, also on another network', async () => {
    const { timer, abort, delays, waits } = world()
    const busy = { reason: 'service-busy', routes: 'gone', atLeastMs: 60_000 } as const
    const waiting = timer.wait(busy, abort.signal)
    expect(waits.at(-1)).toMatchObject({ reason: 'service-busy', nextAttemptAt: 1_063_000 })
    timer.onNetwork('up')
    timer.onNetwork('down')
    timer.onNetwork('up')
    await vi.advanceTimersByTimeAsync(62_999)
    expect(await Promise.race([waiting, Promise.resolve('still waiting')])).toBe('still waiting')
    await vi.advanceTimersByTimeAsync(1)
    expect(await waiting).toBe(true)
    const askedFor = timer.wait(busy, abort.signal)
    timer.endWait()
    expect(await askedFor).toBe(true)
    expect(delays[0]).toBe(63_000)
  })

  it('ends when the network is back, and when the user asks for it', async () => {
    const { wait, timer, delays } = world()
    const first = wait()
    timer.onNetwork('up')
    expect(await first).toBe(true)
    const second = wait()
    timer.endWait()
    expect(await second).toBe(true)
    // The failures of another network do not count.
    expect(delays).toEqual([1000, 1000])
  })

  it('has no end while there is no network, unless the user asks for an attempt', async () => {
    const { wait, timer, waits, delays } = world()
    const waiting = wait()
    timer.onNetwork('down')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(waits).toMatchObject([{ nextAttemptAt: 1_001_000 }, { nextAttemptAt: undefined, attempt: 1 }])
    expect(timer.onNetwork('resumed')).toBe(false)
    expect(delays).toEqual([1000])
    timer.endWait()
    expect(await waiting).toBe(true)
    const next = wait()
    timer.onNetwork('up')
    expect(await next).toBe(true)
  })

  it('ends with the network that sets the clock back', async () => {
    const { wait, timer, clock } = world()
    const waiting = wait()
    timer.onNetwork('down')
    clock.now -= 2 * 3_600_000
    timer.onNetwork('up')
    const later = vi.advanceTimersByTimeAsync(30_000).then(() => 'still waiting')
    expect(await Promise.race([waiting, later])).toBe(true)
  })

  it('is no longer than a service asks for if the clock is set back', async () => {
    const { timer, abort, clock, delays, waits } = world()
    const waiting = timer.wait({ reason: 'service-busy', routes: 'gone', atLeastMs: 60_000 }, abort.signal)
    clock.now -= 2 * 3_600_000
    timer.onNetwork('up')
    const later = vi.advanceTimersByTimeAsync(63_000).then(() => 'still waiting')
    expect(await Promise.race([waiting, later])).toBe(true)
    expect(delays).toEqual([63_000, 63_000])
    expect(waits.at(-1)).toMatchObject({ nextAttemptAt: clock.now + 63_000 })
  })

  it('ends without an attempt on abort, also before it began', async () => {
    const { wait, abort } = world()
    const waiting = wait()
    abort.abort()
    expect(await waiting).toBe(false)
    expect(await wait()).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the time limit', () => {
  it('aborts at the limit', () => {
    const limit = new TimeLimit(20_000, new AbortController().signal)
    vi.advanceTimersByTime(19_999)
    expect(limit.signal.aborted).toBe(false)
    vi.advanceTimersByTime(1)
    expect(limit.signal.aborted).toBe(true)
    expect([limit.exceeded, limit.seconds]).toEqual([true, 20])
  })

  it('does not count while the user is in the browser, and restarts afterwards', () => {
    const limit = new TimeLimit(1000, new AbortController().signal)
    vi.advanceTimersByTime(900)
    limit.pause()
    vi.advanceTimersByTime(300_000)
    limit.resume()
    vi.advanceTimersByTime(900)
    limit.resume()
    expect(limit.exceeded).toBe(false)
    vi.advanceTimersByTime(100)
    expect(limit.exceeded).toBe(true)
  })

  it('is over, but not exceeded, when the caller aborts', () => {
    const abort = new AbortController()
    const limit = new TimeLimit(1000, abort.signal)
    abort.abort()
    expect([limit.over, limit.exceeded]).toEqual([true, false])
    limit.pause()
    expect(vi.getTimerCount()).toBe(0)
  })
})
