import { expect, it } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { describeConnection } from './describe-connection'

const target = { instanceId: 'vpn.example.org', profileId: 'internet' }
const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const

it.each(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring'] as const)(
  'tells a person in a sentence that OpenVPN is at "%s", not in its own word',
  (phase) => {
    const text = describeConnection({ state: 'connecting', target, phase })?.text
    expect(text).toMatch(/^[A-Z].* .*…$/)
    expect(text).not.toContain(phase === 'starting' ? 'starting' : phase)
  },
)

it('names the server that is tried', () => {
  expect(describeConnection({ state: 'connecting', target, phase: 'contacting', remote })).toEqual({
    kind: 'note',
    text: 'Contacting 192.0.2.1 port 1194 over UDP…',
  })
})

it('shows what a connection gave, as the result', () => {
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

it('lets a server write nothing of its own into the terminal', () => {
  const text = describeConnection({
    state: 'connected',
    target: { ...target, profileId: 'lost\u001b]0;x\u0007' },
    addresses: {},
    remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
    since: 0,
  })?.text
  expect(text).toMatch(/^Connected to lost]0;x at /)
})

it('says who ended the tunnel, or took it over', () => {
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

it('says that nothing was connected, and who cancelled it, where there was no tunnel yet', () => {
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

it('says in a sentence why it reconnects', () => {
  const text = describeConnection({ state: 'reconnecting', target, reason: 'ping-restart', attempt: 1 })?.text
  expect(text).toBe('The connection was interrupted. The server stopped responding. Reconnecting…')
})

it('says when the next attempt is, or what it waits for', () => {
  const lost = { state: 'reconnecting', target, reason: 'unreachable', attempt: 3 } as const
  const at = new Date(2026, 10, 20, 9, 5, 7).getTime()
  expect(describeConnection({ ...lost, nextAttemptAt: at })?.text).toBe(
    "The connection was interrupted. The server couldn't be reached. Attempt 3 to reconnect is at 09:05:07.",
  )
  expect(describeConnection({ ...lost, notYetConnected: true, nextAttemptAt: at })?.text).toBe(
    "Not connected yet. The server couldn't be reached. The next attempt is at 09:05:07.",
  )
  expect(describeConnection({ ...lost, waitingForNetwork: true })?.text).toBe(
    "The connection was interrupted. The server couldn't be reached. Waiting for the network…",
  )
})

it('says which DNS servers came with the tunnel, and when they are not in use', () => {
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
