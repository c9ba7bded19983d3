import { expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { describeConnection } from './describe-connection'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const

it.each(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring'] as const)(
  'describes the phase "%s" in a sentence',
  (phase) => {
    const text = describeConnection({ state: 'connecting', target, phase })?.text
    expect(text).toMatch(/^[A-Z].* .*…$/)
    expect(text).not.toContain(phase === 'starting' ? 'starting' : phase)
  },
)

it('includes the current server', () => {
  expect(describeConnection({ state: 'connecting', target, phase: 'contacting', remote })).toEqual({
    kind: 'note',
    text: 'Contacting 192.0.2.1 port 1194 over UDP…',
  })
})

it('describes a connection with its details, as the result', () => {
  const connected: ConnectionState = {
    state: 'connected',
    target,
    addresses: { ipv4: '10.0.0.2', ipv6: 'fd00::2' },
    remote,
    cipher: 'AES-256-GCM',
    allTraffic: true,
    since: Date.UTC(2026, 10, 20, 12),
  }
  expect(describeConnection(connected)).toEqual({
    kind: 'result',
    text: [
      'Connected to internet at vpn.example.org.',
      '  Address  10.0.0.2, fd00::2',
      '  Server   192.0.2.1 port 1194 over UDP',
      '  Traffic  all',
      '  Cipher   AES-256-GCM',
    ].join('\n'),
  })
})

it('removes control characters of the server', () => {
  const text = describeConnection({
    state: 'connected',
    target: { ...target, profileId: 'lost\u001b]0;x\u0007' },
    addresses: {},
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    since: 0,
  })?.text
  expect(text).toMatch(/^Connected to lost]0;x at /)
})

it('names the process that ended or took over the tunnel', () => {
  const ended = { state: 'disconnected', target } as const
  expect(describeConnection(ended)?.text).toBe('Disconnected.')
  const by = { kind: 'window', pid: 4711, takesOver: true } as const
  expect(describeConnection({ ...ended, by })?.text).toBe(
    "Disconnected: Causeway's window (process 4711) took over the connection.",
  )
  expect(describeConnection({ ...ended, by: { kind: 'terminal', pid: 4711, takesOver: false } })?.text).toBe(
    'Disconnected: another terminal command (process 4711) ended the connection.',
  )
})

it('describes a cancelled attempt with the process that cancelled it', () => {
  const cancelled = { state: 'disconnected', target, notYetConnected: true } as const
  const text = (state: ConnectionState) => describeConnection(state)?.text
  expect(text({ ...cancelled, state: 'disconnecting' })).toBe('Cancelling…')
  expect(text(cancelled)).toBe('Cancelled: nothing was connected.')
  const by = { kind: 'window', pid: 4711, takesOver: false } as const
  expect(text({ ...cancelled, by })).toBe(
    "Cancelled by Causeway's window (process 4711): nothing was connected.",
  )
  expect(text({ ...cancelled, by: { ...by, takesOver: true } })).toBe(
    "Cancelled: Causeway's window (process 4711) is connecting instead.",
  )
})

it('describes the reason to reconnect', () => {
  const text = describeConnection({
    state: 'reconnecting',
    target,
    reason: 'ping-restart',
    attempt: 1,
    routes: 'kept',
  })?.text
  expect(text).toBe(
    "The connection was interrupted. The server stopped responding. Reconnecting…\nThe VPN's routes are still set, so traffic for the VPN waits.",
  )
})

it('includes the time of the next attempt, or that it waits for the network', () => {
  const lost = { state: 'reconnecting', target, reason: 'unreachable', attempt: 3, routes: 'gone' } as const
  const at = new Date(2026, 10, 20, 9, 5, 7).getTime()
  expect(describeConnection({ ...lost, nextAttemptAt: at })?.text).toBe(
    "The connection was interrupted. The server couldn't be reached. Attempt 3 to reconnect is at 09:05:07.\nThe VPN's routes are gone, so your traffic doesn't use the VPN for now.",
  )
  expect(describeConnection({ ...lost, notYetConnected: true, nextAttemptAt: at })?.text).toBe(
    "Not connected yet. The server couldn't be reached. The next attempt is at 09:05:07.",
  )
  expect(describeConnection({ ...lost, waitingForNetwork: true })?.text).toBe(
    "The connection was interrupted. The server couldn't be reached. Waiting for the network…\nThe VPN's routes are gone, so your traffic doesn't use the VPN for now.",
  )
})

it('includes the DNS servers of the tunnel, and whether they are in use', () => {
  const connected = {
    state: 'connected',
    target: { instanceId: 'vpn.example.org', profileId: 'office' },
    addresses: { ipv4: '10.0.0.2' },
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    since: 0,
  } as const
  const dns = { servers: ['10.0.0.53'], domains: [], applied: true }
  expect(describeConnection({ ...connected, dns })?.text).toMatch(/^ {2}DNS {6}10\.0\.0\.53$/m)
  expect(describeConnection({ ...connected, dns: { ...dns, applied: false } })?.text).toContain('not in use')
})

it.each([
  [{ allTraffic: true }, 'all'],
  [{ allTraffic: true, passing: false }, 'none passes: nothing comes back through the VPN.'],
  [{ allTraffic: false, allIpv4: true }, 'all IPv4, but not all IPv6'],
  [{ allTraffic: false, outside: ['203.0.113.0/24'] }, 'reached without the VPN: 203.0.113.0/24'],
  [{ allTraffic: false, routesUnknown: true }, "not known (this computer's routes couldn't be read)"],
] as const)('says what a tunnel carries: %j', (carried, expected) => {
  const text = describeConnection({
    state: 'connected',
    target,
    addresses: {},
    remote,
    since: 0,
    ...carried,
  })?.text
  expect(text).toContain(expected)
})
