import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import {
  connected,
  lost,
  failedAgain,
  refused,
  unreachable,
  type Run,
  world,
  times,
  codeOf,
  silent,
  blocked,
  rejectedCertificate,
} from './supervisor.testing'

describe('an error that would have ended the first attempt', () => {
  const reloading = new CausewayError('proxyguard/refused', {
    details: { status: 500, retryAfterSeconds: 90 },
  })
  const missing = new CausewayError('openvpn/not-found')

  it.each([
    ['a tunnel ended with', { fails: reloading }, 'service-error'],
    ['a stranger gave', { fails: new CausewayError('proxyguard/untrusted') }, 'tls-error'],
    ['a program could not be started with', { throws: missing }, 'stopped-unexpectedly'],
  ])('is temporary once it was up, if %s it', async (_what, run, reason) => {
    const { states, settled, end, started } = world([
      { says: [connected], fails: unreachable },
      run,
      { says: [connected] },
    ])
    await settled()
    expect(started()).toBe(3)
    const reasons = states.flatMap((state) => (state.state === 'reconnecting' ? [state.reason] : []))
    expect(reasons).toContain(reason)
    await end()
    const first = world([run])
    expect(await codeOf(first.running)).toBe('throws' in run ? run.throws.code : run.fails.code)
  })

  it('is waited out as the server asks', async () => {
    const { delays, settled, end } = world([
      { says: [connected], fails: unreachable },
      { fails: reloading },
      { says: [connected] },
    ])
    await settled()
    expect(delays.at(-1)).toBeGreaterThanOrEqual(90_000)
    await end()
  })

  it('is final if another attempt can only do harm', async () => {
    const refused = new CausewayError('http/proxy-authentication', { details: { proxy: 'proxy.internal' } })
    const { running } = world([{ says: [connected], fails: unreachable }, { fails: refused }])
    expect(await codeOf(running)).toBe('http/proxy-authentication')
  })
})

describe('a program that is being started', () => {
  const opening = () => {
    let free = (): void => undefined
    const opens = new Promise<void>((resolve) => {
      free = resolve
    })
    return { opens, free }
  }

  it('is started again after a change of network meanwhile', async () => {
    const { opens, free } = opening()
    const { states, started, tell, settled, end } = world([
      { says: [connected], fails: unreachable },
      { opens },
      { says: [connected] },
    ])
    await expect.poll(started).toBe(2)
    tell('changed')
    expect(states.at(-1)).toMatchObject({ state: 'reconnecting', reason: 'network-changed' })
    free()
    await settled()
    await expect.poll(started).toBe(3)
    expect(states.at(-1)).toMatchObject({ state: 'connected' })
    await end()
  })

  it('is started again if the portal grants something else meanwhile', async () => {
    const { opens, free } = opening()
    let answer: (isChanged: boolean) => void = () => undefined
    const { asked, started, settled, end } = world(
      [{ says: [connected, ...times(4, lost)], fails: unreachable }, { opens }, { says: [connected] }],
      {
        refresh: () =>
          new Promise((resolve) => {
            answer = resolve
          }),
      },
    )
    await expect.poll(started).toBe(2)
    expect(asked).toEqual(['refresh'])
    answer(true)
    free()
    await settled()
    await expect.poll(started).toBe(3)
    await end()
  })

  it('goes on if the user asks for the attempt', async () => {
    const { opens, free } = opening()
    const { supervisor, started, settled, end } = world([
      { says: [connected], fails: unreachable },
      { opens, says: [connected] },
    ])
    await expect.poll(started).toBe(2)
    supervisor.again('reconnect')
    free()
    await settled()
    expect(started()).toBe(2)
    await end()
  })
})

describe('the wait before an attempt', () => {
  it('shows its end, and that it is over', async () => {
    const { settled, states, end } = world([{ says: [connected], fails: unreachable }, { says: [connected] }])
    await settled()
    const shown = states.flatMap((state) => (state.state === 'reconnecting' ? [state.nextAttemptAt] : []))
    expect(shown).toEqual([undefined, 1_001_000, undefined])
    await end()
  })

  it.each(['reconnect', 'retry'] as const)('ends at once on %s', async (how) => {
    const { supervisor, settled, delays, started, end } = world(
      [{ says: [connected], fails: unreachable }, { says: [connected] }],
      {},
      undefined,
      { wait: () => new Promise(() => undefined) },
    )
    await expect.poll(() => delays).toHaveLength(1)
    expect(started()).toBe(1)
    supervisor.again(how)
    await settled()
    expect(started()).toBe(2)
    await end()
  })

  /** Connects again and again, each time for so many seconds. */
  async function waits(seconds: number) {
    let now = 0
    const up: Run = { says: [connected], fails: unreachable }
    const { settled, delays, end } = world(
      [...times(4, up), { says: [connected] }],
      {},
      // Asked once when it's connected, and later when it's lost.
      () => (now += seconds * 1000),
    )
    await settled()
    await end()
    return delays
  }

  it('grows while a server accepts the tunnel and then drops it', async () => {
    expect(await waits(1)).toEqual([1000, 2000, 4000, 8000])
  })

  it('starts anew after a tunnel that was up for half a minute', async () => {
    expect(await waits(30)).toEqual([1000, 1000, 1000, 1000])
  })
})

describe('a defect', () => {
  const defect = new TypeError('x is not a function')
  const rejects = () => Promise.reject(defect)
  const up: Run = { says: [connected], fails: unreachable }

  it.each<[string, readonly Run[], Parameters<typeof world>[1]]>([
    ['the program is started', [{ throws: defect }], {}],
    ['the portal is asked about a refusal', [{ fails: refused }], { check: rejects }],
    ['another certificate is asked for', [{ fails: rejectedCertificate }], { renew: rejects }],
    ['the tunnel moves to TCP', [{ fails: silent }], { moveToTcp: rejects }],
  ])('ends the connection as what it is if it happens while %s', async (_what, runs, answers) => {
    const first = world(runs, answers)
    await expect(first.running).rejects.toBe(defect)
    const later = world(
      [up, ...runs.map((run) => (run.fails === silent ? { fails: blocked } : run))],
      answers,
    )
    await expect(later.running).rejects.toBe(defect)
    expect([first.started(), later.started()]).toEqual([1, 2])
    expect(first.delays).toEqual([])
  })

  it.each([
    ['a server that no longer answers', { fails: silent }],
    ['a server that cannot be reached', { fails: unreachable }],
  ])('ends it also while a captive portal is looked for behind %s', async (_what, run) => {
    const { running, delays } = world([{ ...run, says: [connected] }], {}, undefined, {
      isBehindCaptivePortal: rejects,
    })
    await expect(running).rejects.toBe(defect)
    expect(delays).toEqual([])
  })

  it('ends it also while new credentials are asked for in place of silent ones', async () => {
    const { running, started } = world(
      [{ says: [connected], fails: silent }, ...times(3, { fails: silent })],
      {
        renew: rejects,
      },
    )
    await expect(running).rejects.toBe(defect)
    expect(started()).toBe(2)
  })

  it.each([
    ['is reported', defect, [defect]],
    ['that is only an answer of the portal is not', new CausewayError('vpn-api/profile-unavailable'), []],
  ])('%s, and ends no tunnel that is up again', async (_what, error, reported) => {
    const defects: unknown[] = []
    let answer: (error: Error) => void = () => undefined
    const refresh = () =>
      new Promise<never>((_resolve, reject) => {
        answer = reject
      })
    const { settled, states, started, asked, end } = world(
      [{ says: [connected, lost, ...times(3, failedAgain), connected] }],
      { refresh },
      undefined,
      { onDefect: (each) => defects.push(each) },
    )
    await settled()
    answer(error)
    await end()
    expect(asked).toEqual(['refresh'])
    expect(defects).toEqual(reported)
    expect(started()).toBe(1)
    expect(states.at(-1)).toMatchObject({ state: 'connected' })
  })
})
