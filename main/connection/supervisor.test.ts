import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CausewayError } from '../errors'
import { type Remote, type TunnelEvent, TunnelFailure } from '../tunnel/tunnel'
import {
  target,
  details,
  connected,
  lost,
  failedAgain,
  tlsError,
  notListening,
  refused,
  unverified,
  unreachable,
  portalGone,
  type Run,
  world,
  times,
  codeOf,
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

const silent = new TunnelFailure({ failureClass: 'silent', reason: 'no-answer' }, 'wireguard/no-answer')
const blocked = new TunnelFailure({ failureClass: 'blocked', reason: 'no-answer' }, 'wireguard/blocked')

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

describe('a refusal after the handshake, before the first tunnel', () => {
  it('is final after six attempts in half a minute', async () => {
    const { running, asked, delays, states, started } = world(times(9, { fails: refused }))
    expect(await codeOf(running)).toBe('openvpn/authentication-failed')
    expect(started()).toBe(6)
    expect(asked).toEqual(times(6, 'check'))
    expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000])
    expect(states.find(({ state }) => state === 'reconnecting')).toMatchObject({
      reason: 'authentication-failed',
      attempt: 1,
      notYetConnected: true,
    })
  })

  it('is retried at once with a new certificate, and is final if that is refused too', async () => {
    const outcomes = ['replaced', 'refused'] as const
    let next = 0
    const { running, started, delays } = world(times(9, { fails: refused }), {
      check: () => Promise.resolve(outcomes[next++] ?? 'accepted'),
    })
    expect(await codeOf(running)).toBe('openvpn/authentication-failed')
    expect(started()).toBe(2)
    expect(delays).toEqual([])
  })

  it('is what is said if the time is up during the next attempt', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { running, settled, started } = world([{ fails: refused }, {}])
    await settled()
    expect(started()).toBe(2)
    vi.advanceTimersByTime(60_000)
    expect(await codeOf(running)).toBe('openvpn/authentication-failed')
  })

  it("ends with the portal's error about the certificate", async () => {
    const disabled = new CausewayError('certificate/refused', { details: { reason: 'revoked' } })
    const { running, started } = world(times(9, { fails: refused }), {
      check: () => Promise.reject(disabled),
    })
    expect(await codeOf(running)).toBe('certificate/refused')
    expect(started()).toBe(1)
  })

  it.each([
    ['http/unreachable', 'unreachable'],
    ['vpn-api/server-error', 'service-error'],
    ['service/busy', 'service-busy'],
  ] as const)('is retried if the portal cannot be asked (%s)', async (code, reason) => {
    const { running, started, states } = world(times(9, { fails: refused }), {
      check: () =>
        Promise.reject(new CausewayError(code, { details: { host: 'vpn.example.org', status: 503 } })),
    })
    expect(await codeOf(running)).toBe(code)
    expect(started()).toBe(6)
    expect(states).toContainEqual(expect.objectContaining({ state: 'reconnecting', reason }))
  })
})

it('asks a busy portal again when it wants to be asked, within an hour', async () => {
  const busy = (retryAfterSeconds: number) =>
    new CausewayError('service/busy', {
      details: { host: 'vpn.example.org', status: 429, retryAfterSeconds },
    })
  const waits = [120, 7200]
  const { running, delays } = world(times(9, { fails: refused }), {
    check: () => Promise.reject(busy(waits.shift() ?? 1)),
  })
  await expect(running).rejects.toMatchObject({ code: 'service/busy', details: { retryAfterSeconds: 1 } })
  // With jitter that only adds.
  expect(delays.slice(0, 3)).toEqual([126_000, 3_780_000, 4000])
})

describe('a refusal where the portal only knows that the login is valid', () => {
  const runs = [{ says: [connected], fails: unreachable }, ...times(30, { fails: refused })]

  it('is waited out six times, and then final, of a tunnel that was up', async () => {
    const ended = new CausewayError('connection/ended-by-service')
    const { running, asked, started } = world(runs, {
      check: () => Promise.resolve('login-accepted'),
      renew: () => Promise.reject(ended),
    })
    expect(await codeOf(running)).toBe('connection/ended-by-service')
    expect(started()).toBe(7)
    expect(asked.filter((call) => call !== 'refresh')).toEqual([...times(6, 'check'), 'renew'])
  })

  it('says before the first tunnel that only the server refuses', async () => {
    const { running } = world(times(9, { fails: refused }), {
      check: () => Promise.resolve('login-accepted'),
    })
    await expect(running).rejects.toMatchObject({
      code: 'openvpn/authentication-failed',
      variant: 'by-server-only',
    })
  })

  it.each([
    new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } }),
    new CausewayError('vpn-api/server-error', { details: { host: 'vpn.example.org', status: 503 } }),
    new CausewayError('oauth/server-error', { details: { host: 'vpn.example.org', status: 502 } }),
    // A page of an upgrade, or the site of the proxy in front.
    new CausewayError('vpn-api/invalid-response', { details: { host: 'vpn.example.org' } }),
    new CausewayError('vpn-api/refused', { details: { host: 'vpn.example.org', status: 404 } }),
    new CausewayError('service/busy', { details: { host: 'vpn.example.org', status: 429 } }),
    new CausewayError('http/tls-failed', { details: { host: 'vpn.example.org', reason: 'expired' } }),
    new CausewayError('discovery/not-json', { details: { host: 'vpn.example.org' } }),
    new CausewayError('secret-store/locked'),
  ])('is no verdict of a tunnel that was up while the portal is down ($code)', async (down) => {
    const { settled, asked, started, end } = world(
      [runs[0] ?? {}, ...times(20, { fails: refused }), { says: [connected] }],
      {
        check: () => Promise.reject(down),
      },
    )
    await settled()
    expect(started()).toBe(22)
    expect(asked).not.toContain('renew')
    await end()
  })

  it('counts only refusals in a row that the portal knows of', async () => {
    let asked = 0
    const {
      settled,
      asked: calls,
      end,
    } = world([runs[0] ?? {}, ...times(12, { fails: refused }), { says: [connected] }], {
      check: () => {
        asked += 1
        return asked % 4 === 0 ? Promise.reject(portalGone) : Promise.resolve('login-accepted')
      },
    })
    await settled()
    expect(asked).toBe(12)
    expect(calls).not.toContain('renew')
    await end()
  })

  it.each([
    new CausewayError('session/over', {
      variant: 'revoked',
      details: { instance: 'vpn.example.org' },
    }),
    new CausewayError('vpn-api/not-allowed'),
    new CausewayError('vpn-api/profile-unavailable'),
  ])("ends at once with the portal's word ($code)", async (word) => {
    const { running, started, delays } = world(runs, { check: () => Promise.reject(word) })
    await expect(running).rejects.toBe(word)
    expect(started()).toBe(2)
    // After the loss of the tunnel itself.
    expect(delays).toHaveLength(1)
  })
})

const rejectedCertificate = new TunnelFailure(
  { failureClass: 'credentials', reason: 'tls-error' },
  'openvpn/certificate-rejected',
)

describe('a certificate that the server rejects', () => {
  it.each([
    ['one was tried', false, undefined, /^The server rejected your certificate\. /],
    ['two were tried', true, 'new-too', /and a new one too\./],
  ])('is final, and says so, where only %s', async (_count, isReplacement, variant, message) => {
    const { running } = world([{ fails: rejectedCertificate }], {
      isReplacement,
      renew: () => Promise.resolve(false),
    })
    await expect(running).rejects.toMatchObject({
      code: 'openvpn/certificate-rejected',
      variant,
      message: expect.stringMatching(message) as string,
    })
  })
})

describe('a refusal of a tunnel that was up', () => {
  it('is retried without limit', async () => {
    const back: Run = { says: [connected] }
    const { settled, asked, end } = world([
      { says: [connected], fails: unreachable },
      ...times(20, { fails: refused }),
      back,
    ])
    await settled()
    expect(asked.filter((each) => each === 'check')).toHaveLength(20)
    await end()
  })
})

describe('a tunnel that is lost after its login has expired', () => {
  // OpenVPN would reconnect by itself with the expired credentials for ever.
  const runs = [{ says: [connected, lost] }, { says: [connected] }]

  it('ends if the login cannot be renewed', async () => {
    const { running, settled, asked, started } = world(runs, {
      isExpired: () => true,
      renew: () => Promise.resolve(false),
    })
    const code = codeOf(running)
    await settled().catch(() => undefined)
    expect(asked).toEqual(['renew'])
    expect(await code).toBe('session/over')
    expect(started()).toBe(1)
  })

  it('starts again with a renewed login, at once', async () => {
    let expired = true
    const { started, asked, delays, end } = world(runs, {
      isExpired: () => expired,
      renew: () => {
        expired = false
        return Promise.resolve(true)
      },
    })
    await expect.poll(started).toBe(2)
    expect({ asked, delays }).toEqual({ asked: ['renew'], delays: [] })
    await end()
  })

  it('does not start if the login expires while it waits', async () => {
    let expired = false
    const { running, started } = world([{ says: [connected], fails: unreachable }, { says: [connected] }], {
      isExpired: () => {
        const was = expired
        expired = true
        return was
      },
      renew: () => Promise.resolve(false),
    })
    expect(await codeOf(running)).toBe('session/over')
    expect(started()).toBe(1)
  })

  it('stays while it is up', async () => {
    const { settled, started, states, end } = world([{ says: [connected] }], { isExpired: () => true })
    await settled()
    expect(started()).toBe(1)
    expect(states.at(-1)).toMatchObject({ state: 'connected' })
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
