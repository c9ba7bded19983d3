import type { VpnTransport } from '../profile'

type Change = (text: string) => string

const program = '/usr/bin/false'
const key = Buffer.alloc(32, 7).toString('base64')

/** Adds lines at the start of a section. */
const add =
  (section: 'Interface' | 'Peer', ...lines: string[]): Change =>
  (text) =>
    text.replace(`[${section}]`, [`[${section}]`, ...lines].join('\n'))

/** Replaces the value of a key, or adds it to a section that hasn't got it. */
function set(name: string, value: string, section: 'Interface' | 'Peer' = 'Peer'): Change {
  const line = new RegExp(`^${name} = .*$`, 'm')
  return (text) =>
    line.test(text) ? text.replace(line, `${name} = ${value}`) : add(section, `${name} = ${value}`)(text)
}

const without =
  (name: string): Change =>
  (text) =>
    text.replace(new RegExp(`^${name} = .*\n?`, 'm'), '')
const after =
  (...lines: string[]): Change =>
  (text) =>
    [text, ...lines].join('\n')

/** Changes that replace a value, as [name, key, value]. */
const values: [string, string, string][] = [
  ['three-addresses', 'Address', '10.77.0.2/24,10.77.0.3/24,fd77::2/64'],
  ['two-ipv4-addresses', 'Address', '10.77.0.2/24,10.77.1.2/24'],
  ['loopback-address', 'Address', '127.0.0.2/8'],
  ['multicast-address', 'Address', '224.0.0.5/24'],
  ['unspecified-address', 'Address', '0.0.0.0/0'],
  ['ipv4-mapped-address', 'Address', '::ffff:10.77.0.2/120'],
  ['nine-dns-servers', 'DNS', Array.from({ length: 9 }, (_, n) => `192.0.2.${n + 1}`).join(',')],
  ['seventeen-dns-domains', 'DNS', Array.from({ length: 17 }, (_, n) => `d${n}.example`).join(',')],
  ['dns-with-a-command', 'DNS', `192.0.2.1;${program}`],
  ['tiny-mtu', 'MTU', '575'],
  ['mtu-too-small-for-ipv6', 'MTU', '1279'],
  ['huge-mtu', 'MTU', '1501'],
  ['short-public-key', 'PublicKey', 'AAAA'],
  ['public-key-not-canonical', 'PublicKey', key.replace(/.=$/, 'd=')],
  ['public-key-of-zeros', 'PublicKey', Buffer.alloc(32).toString('base64')],
  [
    'too-many-allowed-ips',
    'AllowedIPs',
    Array.from({ length: 5001 }, (_, n) => `10.${100 + (n >> 8)}.${n & 255}.0/24`).join(','),
  ],
  ['loopback-allowed', 'AllowedIPs', '127.0.0.1/32'],
  ['ipv6-loopback-allowed', 'AllowedIPs', '::1/128'],
  ['multicast-allowed', 'AllowedIPs', '224.0.0.0/8'],
  ['ipv6-multicast-allowed', 'AllowedIPs', 'ff02::/16'],
  ['allowed-ips-not-a-prefix', 'AllowedIPs', '10.99.0.0/33'],
  ['loopback-endpoint', 'Endpoint', '127.0.0.1:51820'],
  ['ipv6-loopback-endpoint', 'Endpoint', '[::1]:51820'],
  ['multicast-endpoint', 'Endpoint', '224.0.0.1:51820'],
  ['broadcast-endpoint', 'Endpoint', '255.255.255.255:51820'],
  ['unspecified-endpoint', 'Endpoint', '0.0.0.0:51820'],
  ['endpoint-without-port', 'Endpoint', '192.0.2.1'],
  ['endpoint-port-too-large', 'Endpoint', '192.0.2.1:65536'],
  ['keepalive-too-long', 'PersistentKeepalive', '65536'],
  ['keepalive-negative', 'PersistentKeepalive', '-1'],
  ['proxy-in-the-udp-form', 'ProxyEndpoint', 'https://vpn.example/proxyguard/node'],
]

/** The same for the form over TCP. */
const tcpValues: [string, string, string][] = [
  ['proxy-without-https', 'ProxyEndpoint', 'http://vpn.example/proxyguard/node'],
  ['proxy-with-user', 'ProxyEndpoint', 'https://user:password@vpn.example/proxyguard/node'],
  ['proxy-with-long-query', 'ProxyEndpoint', `https://vpn.example/proxyguard/node?${'a'.repeat(2049)}`],
]

const interfaceKeys: [string, string][] = [
  ['PreUp', program],
  ['PostUp', program],
  ['PreDown', program],
  ['PostDown', program],
  ['Table', 'off'],
  ['FwMark', '51820'],
  ['SaveConfig', 'true'],
  ['ListenPort', '51820'],
  ['PrivateKey', key],
  ['Address6', 'fd77::2/64'],
]

interface Trick {
  transport: VpnTransport
  change: Change
}
const overUdp = (change: Change): Trick => ({ transport: 'wireguard+udp', change })
const overTcp = (change: Change): Trick => ({ transport: 'wireguard+tcp', change })

/** Lines that clients must refuse, by names that are valid in a profile_id. */
export const hostileLines: ReadonlyMap<string, Trick> = new Map([
  ...values.map(([name, field, value]) => {
    const section = field === 'DNS' ? 'Interface' : 'Peer'
    return [name, overUdp(set(field, value, section))] as const
  }),
  ...tcpValues.map(([name, field, value]) => [name, overTcp(set(field, value))] as const),
  ...interfaceKeys.map(
    ([name, value]) => [name.toLowerCase(), overUdp(add('Interface', `${name} = ${value}`))] as const,
  ),
  ['presharedkey', overUdp(add('Peer', `PresharedKey = ${key}`))],
  ['in-other-case', overUdp(add('Interface', `pReUp = ${program}`))],
  ['after-a-bare-return', overUdp(add('Interface', `# a comment\rPostUp = ${program}`))],
  ['null-byte', overUdp(add('Interface', `# a comment\0\nPostUp = ${program}`))],
  ['line-separator', overUdp(add('Interface', `# a comment\u2028PostUp = ${program}`))],
  ['escape-sequence', overUdp(add('Interface', '# \u001B[2J'))],
  ['longer-than-1-mib', overUdp(after(`# ${'a'.repeat(1024 * 1024)}`))],
  ['no-equals-sign', overUdp(add('Interface', 'PostUp'))],
  ['key-twice', overUdp(add('Interface', 'MTU = 1400'))],
  ['two-interfaces', overUdp(after('[Interface]', 'Address = 10.77.0.3/24'))],
  ['two-peers', overUdp(after('[Peer]', `PublicKey = ${key}`))],
  ['no-peer', overUdp((text) => text.slice(0, text.indexOf('[Peer]')))],
  ['peer-first', overUdp((text) => [...text.split('\n\n')].reverse().join('\n\n'))],
  ['unknown-section', overUdp(after('[Hooks]', `Up = ${program}`))],
  ['before-the-first-section', overUdp((text) => `PostUp = ${program}\n${text}`)],
  ['no-address', overUdp(without('Address'))],
  ['no-public-key', overUdp(without('PublicKey'))],
  ['no-endpoint', overUdp(without('Endpoint'))],
  ['no-proxy', overTcp(without('ProxyEndpoint'))],
])

/** Returns the text with this line; with commands if the name is unknown. */
export function hostileWireguard(text: string, name: string): string {
  const change =
    hostileLines.get(name)?.change ?? add('Interface', `PreUp = ${program}`, `PostUp = ${program}`)
  return change(text)
}
