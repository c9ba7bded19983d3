import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { TunnelUse } from '../../connection/lock/holder-client'
import { speak } from '../language'
import { checkedStatus, describe as described, endOf } from './status'

const target = { instanceId: 'https://vpn.example.org/', profileId: 'internet' }

function heldWith(connection: ConnectionState): TunnelUse {
  return { use: 'held', holder: { pid: 4242, kind: 'window', since: 0, home: '/home/ann', connection } }
}

describe('endOf', () => {
  it.each([
    ['a tunnel', heldWith(connected()), { wasConnected: true }],
    [
      'an interrupted tunnel',
      heldWith({ state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'gone' }),
      { wasConnected: true },
    ],
    [
      'a login in progress',
      heldWith({ state: 'authorizing', target }),
      { wasConnected: false, notYetConnected: true },
    ],
    [
      'attempts before the first tunnel',
      heldWith({
        state: 'reconnecting',
        target,
        reason: 'other',
        attempt: 1,
        routes: 'gone',
        notYetConnected: true,
      }),
      { wasConnected: false, notYetConnected: true },
    ],
    ['a holder that does not answer', { use: 'silent' } as const, { wasConnected: true }],
    ['no holder', { use: 'free' } as const, { wasConnected: false }],
  ])('describes the end of %s', (_what, before, ended) => {
    expect(endOf(before)).toEqual(ended)
  })
})

describe('status', () => {
  const dns = { servers: ['10.8.0.1'], domains: [], applied: true }

  it.each([
    [
      'whose DNS servers another program has replaced',
      { allTraffic: true, dns: { ...dns, applied: false } },
      true,
    ],
    ['without DNS servers', { allTraffic: true }, true],
    ['for everything', { allTraffic: true, dns }, false],
    ['without routes, after a handshake alone', {}, false],
  ])('says what goes past a tunnel %s', async (_what, more, isSaid) => {
    await speak(['en'])
    const text = described(heldWith(connected(more)))
    expect(text).toContain('internet')
    expect(text.includes('DNS queries bypass the VPN')).toBe(isSaid)
    if (!isSaid) expect(text).not.toContain('Through the VPN')
  })
})

describe('status --check', () => {
  const dns = { servers: ['10.8.0.1'], domains: [], applied: true }

  it.each([
    ['everything goes through', 0, heldWith(connected({ allTraffic: true, dns })), true],
    ["the organization's networks go through", 0, heldWith(connected({ allTraffic: false })), false],
    ['less goes through than promised', 4, heldWith(connected({ allTraffic: false })), true],
    ['nothing passes', 4, heldWith(connected({ allTraffic: true, dns, passing: false })), true],
    ['names are looked up outside', 4, heldWith(connected({ allTraffic: true })), undefined],
    ['the process does not answer', 4, { use: 'silent' } as const, undefined],
    [
      'the connection is lost',
      3,
      heldWith({ state: 'reconnecting', target, reason: 'other', attempt: 1, routes: 'kept' }),
      true,
    ],
    ['a login is waited for', 3, heldWith({ state: 'authorizing', target }), undefined],
    ['nothing is connected', 3, { use: 'free' } as const, undefined],
  ])('tells scripts that %s (%i)', (_what, status, use, promisesAll) => {
    expect(checkedStatus(use, promisesAll)).toBe(status)
  })
})

function connected(more: Partial<Extract<ConnectionState, { state: 'connected' }>> = {}): ConnectionState {
  return {
    state: 'connected',
    target,
    addresses: { ipv4: '10.8.0.2' },
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    since: 0,
    ...more,
  }
}
