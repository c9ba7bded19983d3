import { expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import type { TunnelDetails } from '../tunnel/tunnel'
import { stateAfterTunnelEvent } from './tunnel-state'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const now = Date.UTC(2026, 10, 20, 12)
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
const details: TunnelDetails = {
  addresses: { ipv4: '10.0.0.2' },
  remote,
  cipher: 'AES-256-GCM',
  allTraffic: true,
  routes: ['0.0.0.0/0'],
}
const connecting: ConnectionState = { state: 'connecting', target, phase: 'starting' }
const connected: ConnectionState = { state: 'connected', target, ...details, since: now }

it('shows the current phase and remote', () => {
  const event = {
    event: 'phase',
    phase: 'verifying',
    remote: { ...remote, host: 'vpn.example.org' },
  } as const
  expect(stateAfterTunnelEvent(connecting, target, event, now)).toMatchObject({
    state: 'connecting',
    phase: 'tls',
    remote,
  })
})

it('does not change for the same phase again', () => {
  expect(stateAfterTunnelEvent(connecting, target, { event: 'phase', phase: 'starting' }, now)).toBe(
    connecting,
  )
})

it('becomes connected with the details of the tunnel', () => {
  expect(stateAfterTunnelEvent(connecting, target, { event: 'connected', details }, now)).toEqual(connected)
})

it('stays reconnecting through all phases until connected again', () => {
  const later = Date.UTC(2026, 10, 20, 13)
  const lost = stateAfterTunnelEvent(
    connected,
    target,
    { event: 'restarting', reason: 'ping-restart', handshakeFailed: false, routes: 'kept' },
    later,
  )
  expect(lost).toEqual({ state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' })
  expect(stateAfterTunnelEvent(lost, target, { event: 'phase', phase: 'contacting' }, later)).toBe(lost)
  expect(stateAfterTunnelEvent(lost, target, { event: 'connected', details }, later)).toEqual({
    ...connected,
    since: later,
  })
})

it('stays connecting when the tunnel goes on to the next remote', () => {
  expect(
    stateAfterTunnelEvent(
      connecting,
      target,
      { event: 'restarting', reason: 'server_poll', handshakeFailed: false, routes: 'kept' },
      now,
    ),
  ).toBe(connecting)
})

it('does not change for a log line', () => {
  expect(stateAfterTunnelEvent(connected, target, { event: 'log', line: 'anything' }, now)).toBe(connected)
})
