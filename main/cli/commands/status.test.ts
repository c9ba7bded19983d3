import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { TunnelUse } from '../../connection/lock/tunnel-lock'
import { endOf } from './status'

const target = { instanceId: 'https://vpn.example.org/', profileId: 'internet' }

function heldWith(connection: ConnectionState): TunnelUse {
  return { use: 'held', holder: { pid: 4242, kind: 'window', since: 0, connection } }
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

function connected(): ConnectionState {
  return {
    state: 'connected',
    target,
    addresses: { ipv4: '10.8.0.2' },
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    since: 0,
  }
}
