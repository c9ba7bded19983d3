import { expect, it, onTestFinished } from 'vitest'
import type { ConnectionState } from '../../contract/connection'
import { describeConnection } from './describe-connection'
import { speak } from './language'

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
    text: 'Contacting 192.0.2.1:1194 (UDP)…',
  })
})

const connected = {
  state: 'connected',
  target,
  addresses: { ipv4: '10.0.0.2', ipv6: 'fd00::2' },
  remote,
  since: Date.UTC(2026, 10, 20, 12),
} as const
const dns = { servers: ['10.0.0.53'], domains: [], applied: true }

it('describes a connection with its details, as the result', () => {
  expect(describeConnection({ ...connected, dns, cipher: 'AES-256-GCM', allTraffic: true })).toEqual({
    kind: 'result',
    text: [
      'Connected to internet · vpn.example.org.',
      'Through the VPN: everything',
      '  Address      10.0.0.2, fd00::2',
      '  Server       192.0.2.1:1194 (UDP)',
      '  DNS servers  10.0.0.53',
      '  Cipher       AES-256-GCM',
    ].join('\n'),
  })
})

it('names a service as the person does, with the id that commands take', () => {
  const named = [{ id: 'vpn.example.org', name: 'Work\u001b[2J' }, { id: 'other.example' }]
  expect(describeConnection({ ...connected, allTraffic: true }, named)?.text).toMatch(
    /^Connected to internet · Work.{0,8} \(vpn\.example\.org\)\.$/m,
  )
  expect(describeConnection({ ...connected, allTraffic: true }, named)?.text).not.toContain('\u001b')
})

it.each([{ routes: [] }, { routesUnknown: true as const }])('says what to do about %j', (carried) => {
  const text = describeConnection({ ...connected, allTraffic: false, ...carried })?.text
  expect(text).toContain('run “causeway reconnect”; to check this computer, “causeway doctor”')
  expect(describeConnection({ ...connected, allTraffic: true })?.text).not.toContain('causeway doctor')
})

it('says nothing about routes after a handshake alone', () => {
  expect(describeConnection(connected)?.text).not.toContain('Through the VPN')
})

it('removes control characters of the server', () => {
  const text = describeConnection({
    ...connected,
    target: { ...target, profileId: 'lost\u001b]0;x\u0007' },
  })?.text
  expect(text).toMatch(/^Connected to lost]0;x · /)
})

const text = (state: ConnectionState) => describeConnection(state)?.text
const direct = "Your traffic doesn't use the VPN."

it('names the process that ended or took over the tunnel', () => {
  const ended = { state: 'disconnected', target } as const
  expect(text(ended)).toBe(`Not connected. ${direct}`)
  const by = { kind: 'window', pid: 4711, takesOver: true } as const
  expect(text({ ...ended, by })).toBe(
    'A Causeway window (process 4711) took over the connection to vpn.example.org.',
  )
  expect(text({ ...ended, by: { kind: 'terminal', pid: 4711, takesOver: false } })).toBe(
    `The terminal command (process 4711) disconnected from vpn.example.org. ${direct}`,
  )
})

it('describes a cancelled attempt with the process that cancelled it', () => {
  const cancelled = { state: 'disconnected', target, notYetConnected: true } as const
  expect(text({ ...cancelled, state: 'disconnecting' })).toBe('Cancelling the connection to vpn.example.org…')
  expect(text(cancelled)).toBe(`The connection to vpn.example.org was cancelled. ${direct}`)
  const by = { kind: 'window', pid: 4711, takesOver: false } as const
  expect(text({ ...cancelled, by })).toBe(
    `A Causeway window (process 4711) cancelled the connection to vpn.example.org. ${direct}`,
  )
  expect(text({ ...cancelled, by: { ...by, takesOver: true } })).toContain('took over the connection')
})

it('describes the reason to reconnect, and what happens to traffic meanwhile', () => {
  const lost = { state: 'reconnecting', target, reason: 'ping-restart', attempt: 1, routes: 'kept' } as const
  expect(text(lost)).toBe(
    'Reconnecting to vpn.example.org… Your traffic waits until then. The server stopped responding.',
  )
})

it('includes the time of the next attempt in the chosen language, or that it waits for the network', async () => {
  const lost = { state: 'reconnecting', target, reason: 'unreachable', attempt: 3, routes: 'gone' } as const
  const at = new Date(2026, 10, 20, 21, 5, 7).getTime()
  expect(text({ ...lost, nextAttemptAt: at })).toMatch(
    /^Next attempt at 9:05:07\sPM\. Until then, your traffic isn't protected\. /,
  )
  expect(text({ ...lost, notYetConnected: true, nextAttemptAt: at })).toMatch(
    /^Next attempt at 9:05:07\sPM\. The server couldn't be reached\.$/,
  )
  expect(text({ ...lost, waitingForNetwork: true })).toBe(
    "There's no network. Causeway reconnects when there is one. Until then, your traffic isn't protected.",
  )
  await speak(['de'])
  onTestFinished(() => speak(['en']))
  expect(text({ ...lost, nextAttemptAt: at })).toContain('21:05:07')
})

it('includes the DNS servers of the tunnel, and whether they are in use', () => {
  expect(text({ ...connected, dns })).toMatch(/^ {2}DNS servers {2}10\.0\.0\.53$/m)
  expect(text({ ...connected, dns: { ...dns, applied: false } })).toContain('10.0.0.53 · Not in use')
  expect(text({ ...connected, dns: { ...dns, applied: false, problem: 'immutable' } })).toContain(
    '10.0.0.53 · Not in use: /etc/resolv.conf is immutable',
  )
  expect(text({ ...connected, dns, dnsOutside: ['10.0.0.53'] })).toContain(
    '10.0.0.53 · Reached outside the VPN: 10.0.0.53',
  )
  expect(text({ ...connected, dns: { ...dns, allNames: true } })).toContain(
    '10.0.0.53 · Asked for every name',
  )
})

it.each([
  [{ allTraffic: true, dns }, 'Through the VPN: everything\n'],
  [{ allTraffic: true }, 'DNS queries bypass the VPN'],
  [{ allTraffic: true, dns: { ...dns, applied: false } }, 'DNS queries bypass the VPN'],
  [{ allTraffic: true, dns, dnsOutside: ['10.0.0.53'] }, 'DNS queries bypass the VPN'],
  [{ allTraffic: true, passing: false }, 'run “causeway reconnect”'],
  [{ allTraffic: true, passing: false }, 'No traffic gets through.\nThe server accepted the connection'],
  [{ allTraffic: false, allIpv4: true }, 'Only IPv4 traffic is protected'],
  [{ allTraffic: false, outside: ['203.0.113.0/24'] }, 'Outside the VPN  203.0.113.0/24'],
  [{ allTraffic: false, routesUnknown: true }, "Causeway can't tell from this computer's routes"],
] as const)('says what a tunnel carries: %j', (carried, expected) => {
  expect(text({ ...connected, ...carried })).toContain(expected)
})

it('names the apps that could not be moved, and why', () => {
  const failed = [
    { app: 'firefox', why: 'managed' },
    { app: 'steam', why: 'failed' },
  ] as const
  const apps = { mode: 'except', outside: ['firefox', 'steam'], inside: [], running: [], failed } as const
  const lines = text({ ...connected, dns, apps })?.split('\n')
  expect(lines?.slice(-2)).toEqual([
    "  Couldn't be moved, because systemd manages them: firefox",
    "  Couldn't be moved: steam",
  ])
})

it('tells nobody to mend routes where only some apps use the tunnel', () => {
  const apps = { mode: 'only', outside: [], inside: ['firefox'], running: ['firefox'] } as const
  const carried = { allTraffic: false, routes: [], apps } as const
  const text = describeConnection({ ...connected, dns, ...carried })?.text
  expect(text).toContain('Through the VPN: only 1 app')
  expect(text).not.toContain('causeway reconnect')
  expect(text).toMatch(/ DNS servers +10\.0\.0\.53$/m)
})
