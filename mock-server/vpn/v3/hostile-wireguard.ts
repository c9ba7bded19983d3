import lines from '../../seed/texts/hostile-wireguard.json'
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

const tooManyNetworks = Array.from({ length: 5001 }, (_, n) => `10.${100 + (n >> 8)}.${n & 255}.0/24`).join(
  ',',
)
const longProxy = `https://vpn.example/proxyguard/node?${'a'.repeat(2049)}`

interface Trick {
  transport: VpnTransport
  change: Change
}
const overUdp = (change: Change): Trick => ({ transport: 'wireguard+udp', change })
const overTcp = (change: Change): Trick => ({ transport: 'wireguard+tcp', change })

/** Lines that clients must refuse, by names that are valid in a profile_id. */
export const hostileLines: ReadonlyMap<string, Trick> = new Map([
  ...lines.values.map(({ name, key: field, value }) => {
    const section = field === 'DNS' ? 'Interface' : 'Peer'
    return [name, overUdp(set(field, value.replace('{program}', program), section))] as const
  }),
  ['too-many-allowed-ips', overUdp(set('AllowedIPs', tooManyNetworks))],
  ...lines.tcpValues.map(({ name, key: field, value }) => [name, overTcp(set(field, value))] as const),
  ['proxy-with-long-query', overTcp(set('ProxyEndpoint', longProxy))],
  ...lines.interfaceKeys.map(({ key: field, value }) => {
    const line = `${field} = ${value.replace('{program}', program)}`
    return [field.toLowerCase(), overUdp(add('Interface', line))] as const
  }),
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
