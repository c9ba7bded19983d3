import { describe, expect, it } from 'vitest'

import { processorTime } from '../../../scripts/processor-time'
import { type LogFact, parseLogLine } from './log-parser'

/** Lines of OpenVPN 2.6.14, unless noted otherwise. */
const lines: [string, LogFact][] = [
  [
    'OpenVPN 2.6.14 x86_64-pc-linux-gnu [SSL (OpenSSL)] [LZO] [LZ4] [EPOLL] [PKCS11] [MH/PKTINFO] [AEAD] [DCO]',
    { fact: 'ready' },
  ],
  [
    'RESOLVE: Cannot resolve host address: no.such.invalid:1194 (Name or service not known)',
    { fact: 'name-not-resolved', host: 'no.such.invalid' },
  ],
  [
    'Attempting to establish TCP connection with [AF_INET]127.0.0.1:41195',
    { fact: 'contacting', protocol: 'tcp', address: '127.0.0.1', port: 41195 },
  ],
  [
    'UDPv4 link remote: [AF_INET]127.0.0.1:41194',
    { fact: 'contacting', protocol: 'udp', address: '127.0.0.1', port: 41194 },
  ],
  [
    'UDPv6 link remote: [AF_INET6]2001:db8::1:1194',
    { fact: 'contacting', protocol: 'udp', address: '2001:db8::1', port: 1194 },
  ],
  ['TLS: Initial packet from [AF_INET]127.0.0.1:41195, sid=208552fb 69e2eb0f', { fact: 'tls-started' }],
  ['VERIFY OK: depth=0, CN=server', { fact: 'server-verified' }],
  [
    'VERIFY ERROR: depth=1, error=self-signed certificate in certificate chain: CN=ca, serial=246443349477',
    {
      fact: 'server-not-verified',
      reason: 'depth=1, error=self-signed certificate in certificate chain: CN=ca, serial=246443349477',
    },
  ],
  [
    'VERIFY X509NAME ERROR: CN=server, must be other',
    { fact: 'server-not-verified', reason: 'CN=server, must be other' },
  ],
  ['VERIFY EKU ERROR', { fact: 'server-not-verified', reason: '' }],
  [
    'OpenSSL: error:0A000086:SSL routines::certificate verify failed:',
    { fact: 'server-not-verified', reason: 'certificate verify failed' },
  ],
  [
    'Received fatal SSL alert: certificate expired',
    { fact: 'certificate-alert', reason: 'certificate expired' },
  ],
  [
    'OpenSSL: error:0A000418:SSL routines::tlsv1 alert unknown ca:',
    { fact: 'certificate-alert', reason: 'unknown ca' },
  ],
  [
    'OpenSSL: error:0A00045C:SSL routines::tlsv13 alert certificate required:',
    { fact: 'certificate-alert', reason: 'certificate required' },
  ],
  [
    'Control Channel: TLSv1.3, cipher TLSv1.3 TLS_AES_256_GCM_SHA384, peer certificate: 2048 bits RSA, signature: RSA-SHA256, peer temporary key: 253 bits X25519',
    { fact: 'tls-established' },
  ],
  ['[server] Peer Connection Initiated with [AF_INET]127.0.0.1:41195', { fact: 'authenticated' }],
  [
    "PUSH: Received control message: 'PUSH_REPLY,topology subnet,ifconfig 10.88.0.10 255.255.255.0,auth-token,cipher AES-256-GCM'",
    {
      fact: 'push-reply',
      options: ['topology subnet', 'ifconfig 10.88.0.10 255.255.255.0', 'auth-token', 'cipher AES-256-GCM'],
    },
  ],
  ['TUN/TAP device tun0 opened', { fact: 'device-opened', device: 'tun0' }],
  ['DCO device tun1 opened', { fact: 'device-opened', device: 'tun1' }],
  ['Opened utun device utun7', { fact: 'device-opened', device: 'utun7' }],
  [
    'ovpn-dco device [OpenVPN Data Channel Offload] opened',
    { fact: 'device-opened', device: 'OpenVPN Data Channel Offload' },
  ],
  [
    'tap-windows6 device [Local Area Connection 2] opened',
    { fact: 'device-opened', device: 'Local Area Connection 2' },
  ],
  ['Preserving previous TUN/TAP instance: tun0', { fact: 'device-opened', device: 'tun0' }],
  ['Initialization Sequence Completed', { fact: 'connected' }],
  [
    'Initialization Sequence Completed With Errors ( see http://openvpn.net/faq.html#dhcpclientserv )',
    { fact: 'connected' },
  ],
  ["Data Channel: cipher 'AES-256-GCM', peer-id: 0", { fact: 'data-cipher', cipher: 'AES-256-GCM' }],
  // OpenVPN 2.5
  [
    "Outgoing Data Channel: Cipher 'AES-256-GCM' initialized with 256 bit key",
    { fact: 'data-cipher', cipher: 'AES-256-GCM' },
  ],
  ["Data Channel: using negotiated cipher 'AES-256-GCM'", { fact: 'data-cipher', cipher: 'AES-256-GCM' }],
  ['write UDPv4 []: Network is unreachable (fd=3,code=101)', { fact: 'no-ipv4-route' }],
  ['write UDPv4: Network is unreachable (fd=4,code=51)', { fact: 'no-ipv4-route' }],
  ['TCP: connect to [AF_INET]192.0.2.1:1194 failed: Network is unreachable', { fact: 'no-ipv4-route' }],
  ['read UDPv4 [ECONNREFUSED]: Connection refused (fd=4,code=111)', { fact: 'refused' }],
  ['read UDPv4: Connection refused (fd=4,code=61)', { fact: 'refused' }],
  ['read UDPv4: Connection reset by peer (WSAECONNRESET) (fd=392,code=10054)', { fact: 'refused' }],
  ['read UDPv6: Unknown error (fd=392,code=10054)', { fact: 'refused' }],
  ['read UDP: Unknown error (code=10054)', { fact: 'refused' }],
  ['Connection reset, restarting [-1]', { fact: 'connection-reset' }],
  [
    'TLS Error: TLS key negotiation failed to occur within 10 seconds (check your network connectivity)',
    { fact: 'negotiation-timed-out' },
  ],
  ['AUTH: Received control message: AUTH_FAILED', { fact: 'authentication-failed', reason: '' }],
  [
    'AUTH: Received control message: AUTH_FAILED,no access',
    { fact: 'authentication-failed', reason: 'no access' },
  ],
  [
    "Halt command was pushed by server ('HALT,maintenance')",
    { fact: 'halted', reason: " ('HALT,maintenance')" },
  ],
  [
    'ERROR: Cannot ioctl TUNSETIFF tun: Operation not permitted (errno=1)',
    {
      fact: 'failed',
      kind: 'not-permitted',
      variant: 'system',
      reason: 'ERROR: Cannot ioctl TUNSETIFF tun: Operation not permitted (errno=1)',
    },
  ],
  [
    'ERROR: Cannot open TUN/TAP dev /dev/net/tun: Permission denied (errno=13)',
    {
      fact: 'failed',
      kind: 'not-permitted',
      variant: 'system',
      reason: 'ERROR: Cannot open TUN/TAP dev /dev/net/tun: Permission denied (errno=13)',
    },
  ],
  [
    'Options error: Unrecognized option or missing or extra parameter(s) in stdin:9: no-such (2.6.14)',
    {
      fact: 'failed',
      kind: 'configuration-refused',
      variant: 'unknown-option',
      reason:
        'Options error: Unrecognized option or missing or extra parameter(s) in stdin:9: no-such (2.6.14)',
    },
  ],
  [
    'OpenSSL: error:05800074:x509 certificate routines::key values mismatch:',
    {
      fact: 'failed',
      kind: 'configuration-refused',
      variant: 'key-pair',
      reason: 'OpenSSL: error:05800074:x509 certificate routines::key values mismatch:',
    },
  ],
  [
    'Cannot load inline certificate file',
    { fact: 'failed', kind: 'configuration-refused', reason: 'Cannot load inline certificate file' },
  ],
  [
    'OpenSSL: error:0A00042E:SSL routines::tlsv1 alert protocol version:',
    {
      fact: 'failed',
      kind: 'no-shared-cipher',
      variant: 'tls',
      reason: 'OpenSSL: error:0A00042E:SSL routines::tlsv1 alert protocol version:',
    },
  ],
  [
    'VERIFY ERROR: depth=0, error=CA signature digest algorithm too weak: CN=server, serial=1',
    {
      fact: 'failed',
      kind: 'weak-certificate',
      reason: 'VERIFY ERROR: depth=0, error=CA signature digest algorithm too weak: CN=server, serial=1',
    },
  ],
  [
    'OpenVPN ROUTE: failed to parse/resolve route for host/network: 10.0.0.300',
    {
      fact: 'route-refused',
      reason: 'OpenVPN ROUTE: failed to parse/resolve route for host/network: 10.0.0.300',
    },
  ],
  [
    "Pushed option rejected by filter: 'compress lz4'. Restarting.",
    { fact: 'option-refused', option: 'compress' },
  ],
  [
    'OPTIONS ERROR: server pushed compression settings that are not allowed and will result in a non-working connection. See also allow-compression in the manual.',
    { fact: 'option-refused', option: 'compress' },
  ],
  ['SIGUSR1[soft,server_poll] received, process restarting', { fact: 'restarting', reason: 'server_poll' }],
  [
    'SIGUSR1[connection failed(soft),connection-failed] received, process restarting',
    { fact: 'restarting', reason: 'connection-failed' },
  ],
]

describe('parsing a line of the log', () => {
  it.each(lines)('reads: %s', (line, fact) => {
    expect(parseLogLine(line)).toEqual(fact)
    expect(parseLogLine(`2026-11-20 19:04:31 ${line}`)).toEqual(fact)
    expect(parseLogLine(`2026-11-20 18:54:24 us=812305 ${line}`)).toEqual(fact)
    expect(parseLogLine(`1763665464.812305 2c0 ${line}`)).toEqual(fact)
  })

  it.each([
    '',
    'Exiting due to fatal error',
    'library versions: OpenSSL 3.0.19 27 Jan 2026, LZO 2.10',
    'VERIFY OK: depth=1, CN=ca',
    'Sent fatal SSL alert: unknown CA',
    // Written for an established TCP connection, after the attempt.
    'TCPv4_CLIENT link remote: [AF_INET]127.0.0.1:41195',
    'Options error: Unrecognized option or missing or extra parameter(s) in [PUSH-OPTIONS]:7: block-outside-dns (2.6.14)',
    // The server asks for a later retry, which OpenVPN does itself.
    'AUTH: Received control message: AUTH_FAILED,TEMP[backoff 10]:busy',
    'write UDPv4 [EPERM]: Operation not permitted (fd=3,code=1)',
    'read UDPv4: Network is down (WSAENETDOWN) (fd=392,code=10050)',
    // A server's text in the middle of a line.
    'ECHO: Initialization Sequence Completed',
    '[Initialization Sequence Completed] Inactivity timeout (--ping-restart), restarting',
    'VERIFY OK: depth=1, CN=TLS: Initial packet from x',
  ])('ignores: %s', (line) => {
    expect(parseLogLine(line)).toBeUndefined()
  })

  it('takes the line before the end of OpenVPN as the reason, unless it is one by itself', () => {
    expect(parseLogLine('Exiting due to fatal error', '2026-11-20 19:04:31 daemon() failed')).toEqual({
      fact: 'failed',
      kind: 'stopped-unexpectedly',
      reason: 'daemon() failed',
    })
    expect(parseLogLine('Exiting due to fatal error', 'Cannot use certificate')).toBeUndefined()
  })

  it('handles very long lines quickly', () => {
    const starts = [
      '[',
      'RESOLVE: Cannot resolve host address: ',
      'UDPv4 link remote: [AF_INET]',
      'SIGUSR1[,',
    ]
    const time = processorTime(() => {
      for (const start of starts) expect(parseLogLine(start + ':1,]'.repeat(50_000))).toBeUndefined()
    })
    expect(time).toBeLessThan(1000)
  })
})
