import { expect, it } from 'vitest'
import { connectionState, type ConnectionState } from './connection'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.7', port: 1194, protocol: 'udp' } as const
/** One of each state, with every optional field. */
const states: readonly ConnectionState[] = [
  { state: 'idle' },
  { state: 'discovering', target },
  { state: 'preparing', target, switching: true },
  { state: 'connecting', target, switching: true, phase: 'contacting', remote },
  { state: 'disconnecting', target, switching: true },
  {
    state: 'connected',
    target,
    addresses: { ipv4: '10.42.0.2', ipv6: 'fd00::2' },
    remote,
    cipher: 'AES-256-GCM',
    allTraffic: false,
    routes: ['10.99.0.0/16', 'fd99::/48'],
    dns: { servers: ['10.42.0.1', 'fd00::1'], domains: ['example.org'], applied: true },
    device: 'tun0',
    since: 0,
  },
  {
    state: 'reconnecting',
    target,
    reason: 'unreachable',
    attempt: 2,
    routes: 'kept',
    nextAttemptAt: 0,
    waitingForNetwork: true,
    notYetConnected: true,
  },
  {
    state: 'disconnected',
    target,
    by: { kind: 'terminal', pid: 4711, takesOver: true },
    notYetConnected: true,
  },
  { state: 'failed', target, error: { code: 'openvpn/unreachable', message: 'It is not there.' } },
]

it.each(states)('keeps every field of the state $state', (state) => {
  expect(connectionState.parse(state)).toEqual(state)
})
