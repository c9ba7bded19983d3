import { describe, expect, it } from 'vitest'

import { parseLogLine } from './log-parser'
import type { Remote } from '../tunnel'
import { advance, failureAtExit, initialProgress, type ProgressEvent } from './tunnel-progress'

const udp: Remote = { host: '192.0.2.1', port: 1194, protocol: 'udp' }
const tcp: Remote = { host: '192.0.2.1', port: 443, protocol: 'tcp' }
const named: Remote = { host: 'vpn.example.org', port: 1194, protocol: 'udp' }

/** The log until Causeway would stop OpenVPN, or to its end. */
function follow(
  remotes: readonly Remote[],
  log: readonly string[],
  mode: 'full' | 'handshake-only' = 'full',
) {
  let progress = initialProgress(remotes, mode)
  const events: ProgressEvent[] = []
  for (const [index, line] of log.entries()) {
    const fact = parseLogLine(line)
    if (fact === undefined) {
      continue
    }
    const step = advance(progress, fact)
    progress = step.progress
    events.push(...step.events)
    if (step.verdict !== undefined) {
      const { code, message } = step.verdict
      return { events, verdict: code, message, read: index + 1, progress }
    }
  }
  return { events, verdict: undefined, read: log.length, progress }
}

const contactUdp = (address = '192.0.2.1', port = 1194) => `UDPv4 link remote: [AF_INET]${address}:${port}`
const contactTcp = (address = '192.0.2.1', port = 443) =>
  `Attempting to establish TCP connection with [AF_INET]${address}:${port}`
const restarting = (reason: string) => `SIGUSR1[soft,${reason}] received, process restarting`
const silence = ['Server poll timeout, restarting', restarting('server_poll')]
const answered = ['TLS: Initial packet from [AF_INET]192.0.2.1:1194, sid=1 2', 'VERIFY OK: depth=1, CN=ca']
const verified = [...answered, 'VERIFY OK: depth=0, CN=server']
const badServer = [...answered, 'VERIFY ERROR: depth=0, error=x: CN=y', restarting('tls-error')]
const rejectedByReset = [...verified, 'Connection reset, restarting [0]', restarting('connection-reset')]
const negotiationFailed =
  'TLS Error: TLS key negotiation failed to occur within 10 seconds (check your network connectivity)'
const rejectedBySilence = [...verified, negotiationFailed, restarting('tls-error')]
const established = [
  ...verified,
  'Control Channel: TLSv1.3, cipher TLSv1.3 TLS_AES_256_GCM_SHA384, peer certificate: 256 bits EC',
  '[server] Peer Connection Initiated with [AF_INET]192.0.2.1:1194',
]
const up = [
  ...established,
  "PUSH: Received control message: 'PUSH_REPLY,ifconfig 10.88.0.10 255.255.255.0,cipher AES-256-GCM'",
  'TUN/TAP device tun0 opened',
  'Initialization Sequence Completed',
]

describe('before the tunnel is up', () => {
  it('one attempt that looks like a rejected certificate ends it, at any remote', () => {
    expect(follow([udp, tcp], [contactUdp(), ...rejectedBySilence]).verdict).toBe(
      'openvpn/certificate-rejected',
    )
    const second = follow(
      [udp, tcp],
      [contactUdp(), ...silence, contactTcp(), ...rejectedByReset, contactUdp()],
    )
    expect(second.verdict).toBe('openvpn/certificate-rejected')
    expect(second.read).toBe(8)
  })

  it('a refused port is reported if there are other remotes, and ends it otherwise', () => {
    const log = [contactUdp(), 'read UDPv4 [ECONNREFUSED]: Connection refused (fd=4,code=111)']
    const { events, verdict } = follow([udp, tcp], log)
    expect({ last: events.at(-1), verdict }).toEqual({
      last: { event: 'refused', remote: udp },
      verdict: undefined,
    })
    expect(follow([udp], log).verdict).toBe('openvpn/unreachable')
  })

  it('an explicit message of the server decides', () => {
    const log = [contactTcp(), ...answered, 'Received fatal SSL alert: certificate revoked']
    expect(follow([tcp], log).verdict).toBe('openvpn/certificate-rejected')
  })

  it('a server that accepts the certificate and then stops responding has refused the client', () => {
    const dropped = [
      contactUdp(),
      ...established,
      'No reply from server to push requests in 10s',
      restarting('no-push-reply'),
    ]
    expect(follow([udp], [...dropped, contactUdp()]).verdict).toBe('openvpn/authentication-failed')
  })

  it('a reset before the server is verified, or after the certificate is accepted, is not a rejection', () => {
    const reset = 'Connection reset, restarting [0]'
    expect(follow([tcp], [contactTcp(), reset]).verdict).toBeUndefined()
    expect(follow([tcp], [contactTcp(), ...answered, reset]).verdict).toBeUndefined()
    expect(follow([tcp], [contactTcp(), ...established, reset]).verdict).toBeUndefined()
    // A failure of the first remote must not count for the second.
    expect(
      follow([udp, tcp], [contactUdp(), ...verified, restarting('x'), contactTcp(), reset]).verdict,
    ).toBeUndefined()
  })

  it('every remote is tried once, until the first is tried again', () => {
    const { verdict, read } = follow(
      [udp, tcp],
      [contactUdp(), ...silence, contactTcp(), restarting('connection-failed'), contactUdp(), ...silence],
    )
    expect(verdict).toBe('openvpn/unreachable')
    expect(read).toBe(6)
  })

  it('servers with IPv4 only are reported on a network with IPv6 only', () => {
    const noRoute = [
      'write UDPv4 []: Network is unreachable (fd=3,code=101)',
      'Network unreachable, restarting',
      restarting('network-unreachable'),
    ]
    const alone = follow([udp], [contactUdp(), ...noRoute, contactUdp()])
    expect(alone.verdict).toBe('openvpn/unreachable')
    expect(alone.message).toMatch(
      /^This network has only IPv6, and this profile's servers have only IPv4 addresses\./,
    )
    const six = 'UDPv6 link remote: [AF_INET6]2001:db8::1:1194'
    const both = follow([named], [contactUdp(), ...noRoute, six, ...silence, contactUdp()])
    expect(both.message).toMatch(/^None of this profile's servers responded\./)
  })

  it('every address of a name is tried', () => {
    const log = [contactUdp('192.0.2.1'), ...silence, contactUdp('192.0.2.2'), ...silence]
    expect(follow([named], log).verdict).toBeUndefined()
    expect(follow([named], [...log, contactUdp('192.0.2.1')]).verdict).toBe('openvpn/unreachable')
  })

  it('another remote with the same address does not end the round', () => {
    const other = { ...named, host: 'other.example.org' }
    const log = [contactUdp(), ...silence, contactUdp(), ...silence, contactTcp(), ...silence]
    expect(follow([named, other, tcp], log).verdict).toBeUndefined()
    expect(follow([named, other, tcp], [...log, contactUdp()]).verdict).toBe('openvpn/unreachable')
  })

  it('an unverified server is more severe than one that does not answer', () => {
    const log = [contactUdp(), ...badServer, contactTcp(), restarting('connection-failed'), contactUdp()]
    expect(follow([udp, tcp], log).verdict).toBe('openvpn/server-not-verified')
  })

  it('an unknown name counts only without another failure', () => {
    const unknown = [
      'RESOLVE: Cannot resolve host address: vpn.example.org:1194 (Name or service not known)',
      'RESOLVE: Cannot resolve host address: vpn.example.org:1194 (Name or service not known)',
      restarting('Could not determine IPv4/IPv6 protocol'),
    ]
    expect(follow([named], [...unknown, ...unknown]).verdict).toBe('openvpn/name-not-resolved')
    expect(follow([named, tcp], [...unknown, contactTcp(), ...silence, ...unknown]).verdict).toBe(
      'openvpn/unreachable',
    )
  })
})

describe('once the tunnel was up', () => {
  const lost = restarting('ping-restart')

  it('reports addresses, device and cipher, also of a long push reply', () => {
    const { events } = follow(
      [named],
      [
        contactUdp(),
        ...established,
        "PUSH: Received control message: 'PUSH_REPLY,ifconfig 10.88.0.10 255.255.255.0,route 10.99.0.0 255.255.0.0,push-continuation 2'",
        "PUSH: Received control message: 'PUSH_REPLY,ifconfig-ipv6 fd88::1000/64 fd88::1,push-continuation 1'",
        'TUN/TAP device tun3 opened',
        "Data Channel: using negotiated cipher 'CHACHA20-POLY1305'",
        'Initialization Sequence Completed',
      ],
    )
    expect(events.at(-1)).toEqual({
      event: 'connected',
      details: {
        addresses: { ipv4: '10.88.0.10', ipv6: 'fd88::1000' },
        remote: { address: '192.0.2.1', port: 1194, protocol: 'udp' },
        cipher: 'CHACHA20-POLY1305',
        device: 'tun3',
      },
    })
  })

  it('keeps reconnecting, and reports the addresses of the new session', () => {
    const tries = Array.from({ length: 50 }, () => [contactUdp(), ...silence]).flat()
    const again = up.map((line) =>
      line
        .replace('10.88.0.10', '10.88.0.11')
        .replace(/^TUN.*/, 'Preserving previous TUN/TAP instance: tun0'),
    )
    const { events, verdict } = follow([udp], [contactUdp(), ...up, lost, ...tries, contactUdp(), ...again])
    expect(verdict).toBeUndefined()
    expect(events.find(({ event }) => event === 'restarting')).toEqual({
      event: 'restarting',
      reason: 'ping-restart',
      handshakeFailed: false,
    })
    expect(events.at(-1)).toMatchObject({
      event: 'connected',
      details: { addresses: { ipv4: '10.88.0.11' }, device: 'tun0' },
    })
  })

  it('reports only known reasons, and which of them concern the handshake', () => {
    const restarts = ['auth-temp-failure (server temporary reject)', 'tls-error', 'something-new']
    const { events } = follow([udp], [contactUdp(), ...up, ...restarts.map(restarting)])
    expect(events.filter(({ event }) => event === 'restarting')).toEqual([
      { event: 'restarting', reason: 'auth-temp-failure', handshakeFailed: false },
      { event: 'restarting', reason: 'tls-error', handshakeFailed: true },
      { event: 'restarting', reason: 'other', handshakeFailed: false },
    ])
  })

  it('ends at the second sign of a rejected certificate, not at the first', () => {
    const once = [contactUdp(), ...up, lost, contactUdp(), ...rejectedBySilence]
    expect(follow([udp], once).verdict).toBeUndefined()
    expect(follow([udp], [...once, contactUdp(), ...rejectedBySilence]).verdict).toBe(
      'openvpn/certificate-rejected',
    )
    expect(
      follow([udp], [...once, contactUdp(), ...up, lost, contactUdp(), ...rejectedBySilence]).verdict,
    ).toBeUndefined()
  })

  it('counts an attempt once that ended with an alert and a reset', () => {
    const alert = [
      ...verified,
      'Received fatal SSL alert: certificate expired',
      'Connection reset, restarting [0]',
    ]
    expect(follow([tcp], [contactTcp(), ...up, lost, contactTcp(), ...alert]).verdict).toBeUndefined()
  })
})

it('ends when the server requires an option that is not allowed', () => {
  const log = [contactUdp(), ...verified, "Pushed option rejected by filter: 'comp-lzo yes'. Restarting."]
  expect(follow([udp], log).verdict).toBe('openvpn/option-refused')
})

describe('when OpenVPN ends by itself', () => {
  const codeAfter = (log: readonly string[], exit = {}) =>
    failureAtExit(follow([udp], log).progress, exit).code

  it.each([
    ['AUTH: Received control message: AUTH_FAILED,no access', 'openvpn/authentication-failed'],
    ["Halt command was pushed by server ('HALT')", 'openvpn/halted-by-server'],
    ['Options error: Unrecognized option in stdin:9: x', 'openvpn/configuration-refused'],
    ['ERROR: Cannot ioctl TUNSETIFF tun: Operation not permitted (errno=1)', 'openvpn/not-permitted'],
    ['ERROR: Cannot open TUN/TAP dev /dev/net/tun: No such device (errno=19)', 'openvpn/device-unavailable'],
    [
      'AUTH: Received control message: AUTH_FAILED,Data channel cipher negotiation failed (no shared cipher)',
      'openvpn/no-shared-cipher',
    ],
  ])('the log decides instead of the exit code: %s', (line, code) => {
    expect(codeAfter([contactUdp(), ...verified, line], { exitCode: 0 })).toBe(code)
  })

  it('an invalid pushed option is not the reason', () => {
    const [authenticated = ''] = up.filter((line) => line.includes('Peer Connection Initiated'))
    const pushed = "Options error: dhcp-option parameter DNS 'x' must be an IP address"
    expect(codeAfter([contactUdp(), ...verified, authenticated, pushed])).toBe('openvpn/stopped-unexpectedly')
  })

  it('the exit is reported without a reason in the log', () => {
    const { progress } = follow([udp], [contactUdp(), ...silence])
    expect(failureAtExit(progress, { signal: 'SIGKILL' })).toMatchObject({
      code: 'openvpn/stopped-unexpectedly',
      details: { signal: 'SIGKILL' },
    })
  })

  it('a tunnel that broke while it was up was not refused', () => {
    const { progress } = follow([udp], [contactUdp(), ...up, restarting('ping-restart')])
    expect(failureAtExit(progress, { signal: 'SIGKILL' }).code).toBe('openvpn/stopped-unexpectedly')
  })

  it('an option that the server pushed is no reason', () => {
    const pushed = 'Options error: route parameter gateway x must be a valid address'
    const other = 'Options error: compress can only be used in a profile'
    expect(codeAfter([contactUdp(), ...established, pushed, other], { exitCode: 1 })).toBe(
      'openvpn/stopped-unexpectedly',
    )
  })

  it('the most telling of several lines counts', () => {
    const weak = 'OpenSSL: error:0A00018E:SSL routines::ca md too weak:'
    expect(codeAfter([weak, 'Cannot load inline certificate file'], { exitCode: 1 })).toBe(
      'openvpn/weak-certificate',
    )
  })

  it('failures before the tunnel was up are forgotten', () => {
    const log = [contactUdp(), 'ERROR: Cannot ioctl TUNSETIFF tun: x', ...up]
    expect(codeAfter(log, { exitCode: 1 })).toBe('openvpn/stopped-unexpectedly')
  })

  it("a server's reason is shortened and printable", () => {
    const log = [contactUdp(), `AUTH: Received control message: AUTH_FAILED,${'\u202ex'.repeat(500)}`]
    const { details } = failureAtExit(follow([udp], log).progress, {})
    expect(details?.reason).toBe(`${'x '.repeat(99)}x…`)
  })
})
