import { describe, expect, it } from 'vitest'
import { Health, type Sample } from './health'
import { Stalls } from './tunnel-mtu'

const patience = 10_000

/** A tunnel whose counters the test moves on, from five seconds to five seconds. */
function tunnel(keepalive = 25) {
  let now: Sample = { now: 0, age: 0, received: 92, sent: 148 }
  const health = new Health(now, keepalive)
  return (more: Partial<Sample> & { readonly seconds?: number } = {}) => {
    const { seconds = 5, age = now.age + seconds, received = 0, sent = 0, ...rest } = more
    now = {
      ...now,
      ...rest,
      now: now.now + seconds * 1000,
      age,
      received: now.received + received,
      sent: now.sent + sent,
    }
    return health.add(now, patience)
  }
}

describe('a server that has gone', () => {
  it('is noticed with the second sample of data that is not answered', () => {
    const after = tunnel()
    expect([after({ sent: 500 }), after({ sent: 500 })]).toEqual(['doubtful', 'no-answer'])
  })

  it('is not noticed by what WireGuard itself sends', () => {
    const after = tunnel()
    expect([after({ sent: 148 }), after({ sent: 32 }), after({ sent: 92 }), after()]).toEqual([
      'quiet',
      'quiet',
      'quiet',
      'quiet',
    ])
  })

  it('does not answer with handshakes, but with data or its confirmation', () => {
    const after = tunnel()
    expect(after({ sent: 500, received: 148 })).toBe('doubtful')
    expect(after({ sent: 500, received: 92 + 148 })).toBe('no-answer')
    expect(after({ received: 92 + 32 })).toBe('answered')
    expect(after({ received: 32 })).toBe('answered')
    expect(after({ received: 1452 })).toBe('answered')
  })

  it('answers with data after a week asleep, and is judged at once', () => {
    const after = tunnel()
    const week = 7 * 86_400
    expect(after({ seconds: week, received: 100_000 })).toBe('answered')
    expect(after({ seconds: week, received: 92 + 32 })).toBe('answered')
    expect(after({ seconds: week, received: 92, sent: 148 })).toBe('quiet')
  })

  it('does not answer with handshakes while the clock is set back', () => {
    const after = tunnel()
    expect(after({ seconds: -3600, age: 5, sent: 500, received: 92 })).toBe('doubtful')
    expect([after({ sent: 500 }), after({ sent: 500 })]).toEqual(['doubtful', 'no-answer'])
  })

  it('is noticed by packets that the device does not take', () => {
    const after = tunnel()
    const device = { inPackets: 0, inBytes: 0, outPackets: undefined, lost: 0 }
    expect(after({ device })).toBe('quiet')
    expect(after({ device: { ...device, lost: 3 } })).toBe('doubtful')
  })
})

describe('old keys', () => {
  it('are no sign of trouble with the first packet after a pause, which asks for new ones', () => {
    const after = tunnel(0)
    expect(after({ seconds: 600, age: 600 })).toBe('quiet')
    expect(after({ age: 605, sent: 148 })).toBe('quiet')
    expect(after({ age: 1, received: 92, sent: 148 })).toBe('quiet')
    expect(after({ age: 181, sent: 148 })).toBe('quiet')
  })

  it('are one with the second', () => {
    const after = tunnel(0)
    after({ seconds: 600, age: 600 })
    expect([after({ sent: 148 }), after(), after({ sent: 148 })]).toEqual([
      'quiet',
      'quiet',
      'handshake-too-old',
    ])
  })
})

describe('the sizes of packets', () => {
  const sizes = () => {
    const found = new Stalls()
    const total = { inPackets: 0, inBytes: 0, outPackets: 0, lost: 0 }
    found.add({ now: 0, device: { ...total } })
    return (now: number, sent: number, received: number, bytes: number) => {
      total.outPackets += sent
      total.inPackets += received
      total.inBytes += bytes
      return found.add({ now, device: { ...total } })
    }
  }

  it('show a transfer that waits for its first large packet, at most every 15 s', () => {
    const add = sizes()
    expect([add(5000, 3, 2, 120), add(10_000, 3, 2, 120), add(20_000, 0, 0, 0)]).toEqual([true, false, true])
  })

  it('show the next one although the clock was set back', () => {
    const add = sizes()
    expect([add(3_600_000, 3, 2, 120), add(5000, 3, 2, 120)]).toEqual([true, true])
  })

  it('show nothing in one direction, and nothing while large packets come', () => {
    const add = sizes()
    expect([add(5000, 3, 1, 60), add(10_000, 9, 0, 0)]).toEqual([false, false])
    expect([add(15_000, 200, 400, 500_000), add(20_000, 2, 2, 120)]).toEqual([false, false])
  })
})
