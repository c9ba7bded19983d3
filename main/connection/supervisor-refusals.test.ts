import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CausewayError } from '../errors'
import {
  connected,
  lost,
  refused,
  unreachable,
  portalGone,
  type Run,
  world,
  times,
  codeOf,
  rejectedCertificate,
} from './supervisor.testing'

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
