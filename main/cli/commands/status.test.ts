import { describe, expect, it } from 'vitest'
import type { ConnectionState } from '../../../contract/connection'
import type { TunnelUse } from '../../connection/lock/tunnel-lock'
import { endOf } from './status'

const target = { instanceId: 'https://vpn.example.org/', profileId: 'internet' }

function heldWith(connection: ConnectionState): TunnelUse {
  return { use: 'held', holder: { pid: 4242, kind: 'window', since: 0, connection } }
}

describe('what disconnect has ended', () => {
  it.each([
    ['a tunnel', heldWith(connected()), { wasConnected: true }],
    [
      'a tunnel that is lost for the moment',
      heldWith({ state: 'reconnecting', target, reason: 'other', attempt: 1 }),
      { wasConnected: true },
    ],
    [
      'a login that is waited for',
      heldWith({ state: 'authorizing', target }),
      { wasConnected: false, notYetConnected: true },
    ],
    [
      'tries that led to no tunnel yet',
      heldWith({ state: 'reconnecting', target, reason: 'other', attempt: 1, notYetConnected: true }),
      { wasConnected: false, notYetConnected: true },
    ],
    ['what one has who does not answer', { use: 'silent' } as const, { wasConnected: true }],
    ['nothing', { use: 'free' } as const, { wasConnected: false }],
  ])('%s', (_what, before, ended) => {
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
