import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import type { Grant } from '../portal/portal'
import { HeldGrant } from './held-grant'

const loginRequired = new CausewayError('oauth/login-required')

/** A grant with this certificate. Each method gives the test's answer, else fails. */
function grant(certificate: string, answers: Partial<Grant> = {}): Grant {
  const unexpected = () => Promise.reject(new Error('not expected'))
  return {
    tunnel: { protocol: 'openvpn', profile: '', certificate, privateKey: '' },
    validUntil: new Date(1000),
    isNew: false,
    check: unexpected,
    renew: unexpected,
    refresh: unexpected,
    ...answers,
  }
}

function hold(first: Grant, { now = 0, isOutdated = false } = {}) {
  const renewing: string[] = []
  const held = new HeldGrant({
    grant: first,
    instanceId: 'vpn.example.org',
    signal: new AbortController().signal,
    now: () => new Date(now),
    isOutdated: () => Promise.resolve(isOutdated),
    onRenewing: () => renewing.push('renewing'),
    onMovingToTcp: () => renewing.push('moving'),
  })
  return { held, renewing, name: () => held.tunnel.protocol === 'openvpn' && held.tunnel.certificate }
}

describe('new credentials', () => {
  it('are not replaced if a server refuses them at once', async () => {
    const { held, name } = hold(grant('a', { renew: () => Promise.resolve(grant('b')) }))
    expect([await held.renew(), name()]).toEqual([true, 'b'])
    expect([await held.renew(), name()]).toEqual([false, 'b'])
  })

  it('are replaced again once a server has accepted them', async () => {
    const second = grant('b', { renew: () => Promise.resolve(grant('c')) })
    const { held, name, renewing } = hold(grant('a', { renew: () => Promise.resolve(second) }))
    expect(held.isReplacement).toBe(false)
    await held.renew()
    expect(renewing).toEqual(['renewing'])
    held.connected()
    expect([await held.renew(), name()]).toEqual([true, 'c'])
    // After the first tunnel, renewing is no longer shown as `preparing`.
    expect(renewing).toEqual(['renewing'])
  })

  it('are not requested if the first ones are new', async () => {
    expect(await hold({ ...grant('a'), isNew: true }).held.renew()).toBe(false)
  })
})

describe('check', () => {
  it('keeps credentials that the portal accepts', async () => {
    const first: Grant = grant('a', { check: () => Promise.resolve(first) })
    expect(await hold(first).held.check()).toBe('accepted')
  })

  it('uses credentials that another process has got', async () => {
    const { held, name } = hold(grant('a', { check: () => Promise.resolve(grant('b')) }))
    expect([await held.check(), name()]).toEqual(['replaced', 'b'])
  })

  it('replaces credentials that the portal does not accept, unless they are new', async () => {
    const none = () => Promise.resolve(undefined)
    const { held, name } = hold(
      grant('a', { check: none, renew: () => Promise.resolve(grant('b', { check: none })) }),
    )
    expect([await held.check(), name()]).toEqual(['replaced', 'b'])
    expect(await held.check()).toBe('refused')
  })

  it.each([
    [999, 'The service no longer accepts your sign-in (vpn.example.org)'],
    [1000, 'Your access (vpn.example.org) has ended.'],
  ])('reports an ended login, after a connection as the end of the session, at %d', async (now, sentence) => {
    const { held } = hold(grant('a', { check: () => Promise.reject(loginRequired) }), { now })
    await expect(held.check()).rejects.toMatchObject({ code: 'oauth/login-required' })
    held.connected()
    await expect(held.check()).rejects.toMatchObject({
      code: 'session/over',
      message: expect.stringContaining(sentence) as string,
    })
  })

  it('passes on that only the login is known to be valid', async () => {
    const { held } = hold(grant('a', { check: () => Promise.resolve('login-accepted') }))
    expect(await held.check()).toBe('login-accepted')
  })
})

describe('refresh', () => {
  const first: Grant = grant('a', {
    check: () => Promise.resolve(first),
    refresh: () => Promise.resolve(grant('b')),
  })

  it('replaces an outdated tunnel', async () => {
    const { held, name } = hold(first, { isOutdated: true })
    expect([await held.refresh(), name()]).toEqual([true, 'b'])
  })

  it('asks first if the portal accepts the credentials', async () => {
    const replaced = grant('b', { refresh: undefined })
    const { held, name } = hold({ ...first, check: () => Promise.resolve(replaced) })
    expect([await held.refresh(), name()]).toEqual([false, 'b'])
  })

  it('keeps a current tunnel', async () => {
    const { held, name } = hold(first)
    expect([await held.refresh(), name()]).toEqual([false, 'a'])
  })
})

describe('a grant that cannot be', () => {
  it('refreshed stays, and may be asked for at any time', async () => {
    const { held, name } = hold(grant('a', { refresh: undefined }))
    expect([held.isRefreshDue(0), await held.refresh(), name()]).toEqual([true, false, 'a'])
  })

  it('had over TCP stays as it is', async () => {
    const { held, name, renewing } = hold(grant('a'))
    expect([await held.moveToTcp(), name(), renewing]).toEqual([false, 'a', []])
  })
})

describe('a grant over TCP', () => {
  const first = grant('a', { overTcp: () => Promise.resolve(grant('b')) })

  it('replaces the other one, and is shown as being prepared before the first tunnel', async () => {
    const { held, name, renewing } = hold(first)
    expect([await held.moveToTcp(), name(), held.isReplacement]).toEqual([true, 'b', true])
    // The server has not accepted it yet.
    expect(await held.renew()).toBe(false)
    expect(renewing).toEqual(['moving', 'renewing'])
  })

  it('replaces that of a tunnel that was up without a step back', async () => {
    const { held, renewing } = hold(first)
    held.connected()
    await held.moveToTcp()
    expect(renewing).toEqual(['moving'])
    held.connected()
    expect(held.isReplacement).toBe(false)
  })
})

describe('a grant that is issued anew instead', () => {
  const reissue = (isDue: (silentMs: number) => boolean): Grant =>
    grant('a', { refresh: undefined, reissue: { isDue, get: () => Promise.resolve(grant('b')) } })

  it('is refreshed after a silence that its portal finds long enough', async () => {
    const { held, name } = hold(reissue((silentMs) => silentMs >= 1000))
    expect([held.isRefreshDue(999), held.isRefreshDue(1000)]).toEqual([false, true])
    // Those of the old one may be alike.
    expect([await held.refresh(), name(), held.isReplacement]).toEqual([true, 'b', true])
  })

  it('stays if it is too early for another one', async () => {
    const { held, name } = hold(reissue(() => false))
    expect([await held.refresh(), name()]).toEqual([false, 'a'])
  })
})

it('expires at the end of its validity', () => {
  expect(hold(grant('a'), { now: 999 }).held.isExpired()).toBe(false)
  expect(hold(grant('a'), { now: 1000 }).held.isExpired()).toBe(true)
})
