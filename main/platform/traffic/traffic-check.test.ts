import { describe, expect, it } from 'vitest'
import { checkTraffic, pingCommand, systemTrafficCheck, type TrafficCheckOptions } from './traffic-check'

/** Checks with these counts of received bytes, the last of which stays. */
async function check(
  received: readonly number[],
  sent = 100,
  addresses = ['10.88.0.1'],
  { goesOn = false, answers = true, looks = 8 } = {},
) {
  const results: (boolean | 'lost')[] = []
  const asked: number[] = []
  const waited: number[] = []
  const stop = new AbortController()
  let reading = -1
  const options: TrafficCheckOptions = {
    counters: {
      read: () => {
        reading += 1
        const count = received[Math.min(reading, received.length - 1)]
        return Promise.resolve(
          count === undefined ? undefined : { at: reading * 5000, received: count, sent: reading * sent },
        )
      },
    },
    ask: (_address, round) => {
      asked.push(round)
      return Promise.resolve(answers)
    },
    goesOn,
    wait: (milliseconds) => {
      waited.push(milliseconds)
      if (waited.length === looks) stop.abort()
      return stop.signal.aborted ? Promise.reject(new Error('over')) : Promise.resolve()
    },
  }
  const listener = {
    onPassing: (passing: boolean) => {
      results.push(passing)
    },
    onLost: () => {
      results.push('lost')
    },
  }
  await checkTraffic('tun0', addresses, listener, stop.signal, options)
  return { results, waited, asked }
}

it('says nothing about a tunnel that answers, and asks no more', async () => {
  expect(await check([0, 60])).toMatchObject({ results: [], waited: [1000] })
  expect(await check([0, 0, 0, 60])).toMatchObject({ results: [], waited: [1000, 2000, 2000] })
})

describe('a tunnel that has answered', () => {
  const watched = { goesOn: true }

  it('is lost within 15 s of traffic without an answer, also to its questions, until something comes back', async () => {
    const { results, waited, asked } = await check([0, 60, 90, 90, 90, 90, 120], 100, undefined, {
      ...watched,
      looks: 7,
    })
    expect(waited.slice(0, 4)).toEqual([1000, 5000, 5000, 5000])
    expect(results).toEqual(['lost', true])
    // To see if it answers at all, and then while nothing comes back.
    expect(asked).toEqual([0, 1, 1, 1, 1])
  })

  it('is not lost while nobody uses it', async () => {
    expect(await check([0, 60], 0, undefined, watched)).toMatchObject({ results: [], asked: [0, 1] })
  })

  it('is not watched if others were answered', async () => {
    const { results, waited } = await check([0, 60], 100, undefined, { goesOn: true, answers: false })
    expect([results, waited]).toEqual([[], [1000]])
  })
})

it('takes nine seconds for a tunnel that carries nothing, and keeps asking', async () => {
  const { results, waited } = await check([50])
  expect(results).toEqual([false])
  expect(waited.slice(0, 6)).toEqual([1000, 2000, 2000, 2000, 2000, 10_000])
})

it('says when something comes back', async () => {
  expect((await check([0, 0, 0, 0, 0, 0, 0, 60])).results).toEqual([false, true])
})

it.each([
  ['without counters', await check([])],
  ['if nothing was sent', await check([0], 0)],
  ['without an address inside the tunnel', await check([0], 100, [])],
])('cannot tell %s', (_what, { results }) => {
  expect(results).toEqual([])
})

it.each([
  ['linux', '10.88.0.1', ['/bin/ping', '-n', '-c', '1', '-W', '2', '10.88.0.1']],
  ['darwin', '10.88.0.1', ['/sbin/ping', '-n', '-c', '1', '-t', '2', '10.88.0.1']],
  ['darwin', 'fd88::1', ['/sbin/ping6', '-n', '-c', '1', '-i', '2', 'fd88::1']],
] as const)('asks with the ping of %s for %s', (platform, address, command) => {
  expect(pingCommand(platform, address)).toEqual(command)
})

it('leaves no socket open, which would keep the program from ending, if the question cannot be sent', async () => {
  const { ask } = systemTrafficCheck({ isCheap: true, read: () => Promise.resolve(undefined) })
  const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length
  const before = sockets()
  // Sending to everybody is refused.
  await ask('255.255.255.255', 0)
  expect(sockets()).toBe(before + 1)
  await expect.poll(sockets).toBe(before)
})
