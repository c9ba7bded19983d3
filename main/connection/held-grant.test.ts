import { describe, expect, it } from 'vitest'
import { CausewayError } from '../errors'
import type { Grant } from '../portal/portal'
import { HeldGrant } from './held-grant'

const loginRequired = new CausewayError('oauth/login-required', '')

/** A grant by the name of its credentials; each method answers what the test says, else fails. */
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
  })
  return { held, renewing, name: () => held.tunnel.certificate }
}

describe('new credentials', () => {
  it('are made once: those that a server refuses although they are new stay refused', async () => {
    const { held, name } = hold(grant('a', { renew: () => Promise.resolve(grant('b')) }))
    expect([await held.renew(), name()]).toEqual([true, 'b'])
    expect([await held.renew(), name()]).toEqual([false, 'b'])
  })

  it('are made again once a server has accepted the last ones', async () => {
    const second = grant('b', { renew: () => Promise.resolve(grant('c')) })
    const { held, name, renewing } = hold(grant('a', { renew: () => Promise.resolve(second) }))
    await held.renew()
    held.connected()
    expect([await held.renew(), name()]).toEqual([true, 'c'])
    // Once there was a tunnel, it is no preparation any more.
    expect(renewing).toEqual(['renewing'])
  })

  it('are not made where the first ones are new', async () => {
    expect(await hold({ ...grant('a'), isNew: true }).held.renew()).toBe(false)
  })
})

describe('the portal is asked about credentials', () => {
  it('and accepts them', async () => {
    const first: Grant = grant('a', { check: () => Promise.resolve(first) })
    expect(await hold(first).held.check()).toBe('accepted')
  })

  it('and another process has got others, which are used', async () => {
    const { held, name } = hold(grant('a', { check: () => Promise.resolve(grant('b')) }))
    expect([await held.check(), name()]).toEqual(['replaced', 'b'])
  })

  it('and does not accept them, so that new ones are made unless they are new', async () => {
    const none = () => Promise.resolve(undefined)
    const { held, name } = hold(
      grant('a', { check: none, renew: () => Promise.resolve(grant('b', { check: none })) }),
    )
    expect([await held.check(), name()]).toEqual(['replaced', 'b'])
    expect(await held.check()).toBe('refused')
  })

  it('and the login has ended, which after a connection is the end of the session', async () => {
    const { held } = hold(grant('a', { check: () => Promise.reject(loginRequired) }))
    await expect(held.check()).rejects.toMatchObject({ code: 'oauth/login-required' })
    held.connected()
    await expect(held.check()).rejects.toMatchObject({ code: 'session/over' })
  })
})

describe('a refresh', () => {
  const first: Grant = grant('a', {
    check: () => Promise.resolve(first),
    refresh: () => Promise.resolve(grant('b')),
  })

  it('replaces a tunnel that is out of date', async () => {
    const { held, name } = hold(first, { isOutdated: true })
    expect([await held.refresh(), name()]).toEqual([true, 'b'])
  })

  it('leaves one that is not', async () => {
    const { held, name } = hold(first)
    expect([await held.refresh(), name()]).toEqual([false, 'a'])
  })
})

it('is over when its time is', () => {
  expect(hold(grant('a'), { now: 999 }).held.isOver()).toBe(false)
  expect(hold(grant('a'), { now: 1000 }).held.isOver()).toBe(true)
})
