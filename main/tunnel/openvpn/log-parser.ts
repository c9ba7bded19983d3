import { type LogFailure, logFailure } from './log-failures'

/** The meaning of one line of OpenVPN's log (openvpn.md, "The log at verb 3" and "Failures"). */
export type LogFact =
  | { readonly fact: 'ready' }
  | { readonly fact: 'name-not-resolved'; readonly host: string }
  | ({ readonly fact: 'contacting'; readonly protocol: 'udp' | 'tcp' } & Endpoint)
  | { readonly fact: 'tls-started' }
  | { readonly fact: 'server-verified' }
  | { readonly fact: 'server-not-verified'; readonly reason: string }
  | { readonly fact: 'certificate-alert'; readonly reason: string }
  | { readonly fact: 'tls-established' }
  | { readonly fact: 'authenticated' }
  | { readonly fact: 'push-reply'; readonly options: readonly string[] }
  | { readonly fact: 'device-opened'; readonly device: string }
  | { readonly fact: 'connected' }
  | { readonly fact: 'data-cipher'; readonly cipher: string }
  | { readonly fact: 'refused' }
  | { readonly fact: 'no-ipv4-route' }
  | { readonly fact: 'connection-reset' }
  | { readonly fact: 'negotiation-timed-out' }
  | { readonly fact: 'authentication-failed'; readonly reason: string }
  | { readonly fact: 'halted'; readonly reason: string }
  | { readonly fact: 'option-refused'; readonly option: string }
  /** A reason why OpenVPN can't go on, and its line. */
  | ({ readonly fact: 'failed'; readonly reason: string } & LogFailure)
  /** A route that OpenVPN could not read, which is not set. */
  | { readonly fact: 'route-refused'; readonly reason: string }
  | { readonly fact: 'restarting'; readonly reason: string }

interface Endpoint {
  readonly address: string
  readonly port: number
}

type Groups = readonly (string | undefined)[]

const timestamp = /^(?:\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (?:us=\d+ )?|\d{10}\.\d{6} [0-9a-f]+ )/
const clientAlerts =
  'bad certificate|unsupported certificate|certificate (?:revoked|expired|unknown|required)|unknown ca|access denied'

/** The first line is for a route that a server pushes, such as one to `net_gateway_ipv6`. */
const refusedRoute =
  /^(?:Options error: route(?:-ipv6)? parameter |OpenVPN ?ROUTE6?: (?:cannot parse gateway spec|failed to parse\/resolve route) )/

/** Patterns in order; the first match decides. */
const patterns: readonly (readonly [RegExp, (groups: Groups) => LogFact])[] = [
  [/^OpenVPN \d+\.\d+/, () => ({ fact: 'ready' })],
  [
    /^RESOLVE: Cannot (?:resolve host|parse IP) address: (.+):[^\s:]* \(/,
    ([host = '']) => ({ fact: 'name-not-resolved', host }),
  ],
  [/^Attempting to establish TCP connection with \[AF_INET6?\](.+):(\d+)(?: |$)/, contacting('tcp')],
  // TCP writes this too, after the line above.
  [/^UDP(?:v[46])? link remote: \[AF_INET6?\](.+):(\d+)(?: |$)/, contacting('udp')],
  [/^TLS: Initial packet from /, () => ({ fact: 'tls-started' })],
  [/^VERIFY OK: depth=0, /, () => ({ fact: 'server-verified' })],
  [/^VERIFY (?:ERROR|X509NAME ERROR|EKU ERROR|KU ERROR)(?:: (.+))?$/, notVerified],
  [/^(Certificate does not have (?:extended )?key usage extension)$/, notVerified],
  [/^OpenSSL: error:[^:]*:[^:]*:[^:]*:(certificate verify failed)/, notVerified],
  [new RegExp(`^Received fatal SSL alert: (${clientAlerts})`, 'i'), certificateAlert],
  [new RegExp(`^OpenSSL: error:.*(?:tlsv1|tlsv13|sslv3) alert (${clientAlerts})`, 'i'), certificateAlert],
  [/^Control Channel: TLSv[\d.]+, cipher /, () => ({ fact: 'tls-established' })],
  [/^\[.*\] Peer Connection Initiated with /, () => ({ fact: 'authenticated' })],
  [
    /^PUSH: Received control message: 'PUSH_REPLY,?(.*)'$/,
    ([options = '']) => ({ fact: 'push-reply', options: options.split(',').filter((each) => each !== '') }),
  ],
  [/^(?:TUN\/TAP device|DCO device) (\S+) opened/, deviceOpened],
  // macOS and Windows, where device names may contain spaces.
  [/^Opened utun device (utun\d+)$/, deviceOpened],
  [/^(?:ovpn-dco|tap-windows6|wintun) device \[(.+)\] opened$/, deviceOpened],
  [/^Preserving previous TUN\/TAP instance: (.+)$/, deviceOpened],
  [/^Initialization Sequence Completed/, () => ({ fact: 'connected' })],
  [
    /^(?:Outgoing )?Data Channel: (?:using negotiated )?[cC]ipher '([^']+)'/,
    ([cipher = '']) => ({ fact: 'data-cipher', cipher }),
  ],
  // By its name on Linux; by its number on macOS and Windows, whose text depends on the compiler and the language.
  [
    /^(?:read|write) UDP(?:v[46])?(?: \[ECONNREFUSED\]|: .*code=(?:61|10054)\)$)/,
    () => ({ fact: 'refused' }),
  ],
  // By their numbers on Linux, macOS and Windows.
  [
    /^(?:write UDPv4[^:]*: .*code=(?:101|51|10051)\)$|TCP: connect to \[AF_INET\]\S+ failed: Network is unreachable)/,
    () => ({ fact: 'no-ipv4-route' }),
  ],
  [/^Connection reset, restarting/, () => ({ fact: 'connection-reset' })],
  [/^TLS Error: TLS key negotiation failed to occur/, () => ({ fact: 'negotiation-timed-out' })],
  [
    // With AUTH_FAILED,TEMP the server asks for a later retry, which OpenVPN does itself.
    /^AUTH: Received control message: AUTH_FAILED(?!,TEMP)(?:,(.*))?$/,
    ([reason = '']) => ({ fact: 'authentication-failed', reason }),
  ],
  [/^Halt command was pushed by server(.*)/, ([reason = '']) => ({ fact: 'halted', reason })],
  [
    /^Pushed option rejected by filter: '([a-z0-9-]*)/,
    ([option = '']) => ({ fact: 'option-refused', option }),
  ],
  // Not even frames without compression, with an OpenVPN that can't compress or leaves packets to the kernel.
  [
    /^OPTIONS ERROR: server pushed compression settings/,
    () => ({ fact: 'option-refused', option: 'compress' }),
  ],
  [
    /^SIG[A-Z0-9]+\[.*,([^,\]]*)\] received, (?:process )?restarting/,
    ([reason = '']) => ({ fact: 'restarting', reason }),
  ],
]

/**
 * Parses a line of OpenVPN's log, with or without a timestamp. Returns undefined for lines that say nothing about the
 * tunnel. Pushed options, names and reasons are a server's text: they may contain anything but control characters, which
 * OpenVPN replaces.
 *
 * @param previous the line before, which is the reason if this one says that OpenVPN exits
 */
export function parseLogLine(line: string, previous = ''): LogFact | undefined {
  const text = withoutTimestamp(line)
  if (text === 'Exiting due to fatal error') return fatal(withoutTimestamp(previous))
  if (refusedRoute.test(text)) return { fact: 'route-refused', reason: text }
  const failure = text.includes('[PUSH-OPTIONS]') ? undefined : logFailure(text)
  if (failure !== undefined) return { fact: 'failed', ...failure, reason: text }
  for (const [pattern, toFact] of patterns) {
    const match = pattern.exec(text)
    if (match !== null) {
      return toFact(match.slice(1))
    }
  }
  return undefined
}

export function withoutTimestamp(line: string): string {
  return line.replace(timestamp, '')
}

function contacting(protocol: 'udp' | 'tcp') {
  return ([address = '', port]: Groups): LogFact => ({
    fact: 'contacting',
    protocol,
    address,
    port: Number(port),
  })
}

function notVerified([reason = '']: Groups): LogFact {
  return { fact: 'server-not-verified', reason }
}

function certificateAlert([reason = '']: Groups): LogFact {
  return { fact: 'certificate-alert', reason }
}

function deviceOpened([device = '']: Groups): LogFact {
  return { fact: 'device-opened', device }
}

/** Returns the fact for a fatal line, unless it was one by itself. */
function fatal(reason: string): LogFact | undefined {
  return reason === '' || parseLogLine(reason)?.fact === 'failed'
    ? undefined
    : { fact: 'failed', kind: 'stopped-unexpectedly', reason }
}
