import openvpn from '../seed/texts/hostile-openvpn.json'
import wireguard from '../seed/texts/hostile-wireguard.json'
import type { VpnTransport } from './profile'

/**
 * A change of a configuration that clients must refuse: a directive that they must never obey, a trick that hides one from a
 * careless parser, or a broken rule. Its name is valid in a profile_id. It replaces what an expression matches, or sets the
 * value of a key.
 */
interface Trick {
  name: string
  at?: string
  text?: string
  set?: string
  value?: string
  /** For WireGuard over TCP. */
  tcp?: boolean
}

/** Harmless values that are easy to find: the program does nothing, the files don't exist. */
const values: Record<string, string> = {
  program: '/usr/bin/false',
  file: '/tmp/causeway-mock/written-by-a-hostile-profile',
  key: Buffer.alloc(32, 7).toString('base64'),
  networks: Array.from({ length: 5001 }, (_, n) => `10.${100 + (n >> 8)}.${n & 255}.0/24`).join(','),
}

/** Returns a text with its values; `{a*9}` is a letter, nine times. */
function filled(text: string): string {
  return text
    .replace(/\{(\w)\*(\d+)\}/g, (_all, letter: string, times: string) => letter.repeat(Number(times)))
    .replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}

function applied(config: string, { at = '', text = '', set, value = '' }: Trick): string {
  if (set === undefined) return config.replace(new RegExp(at), filled(text))
  const line = `${set} = ${filled(value)}`
  const known = new RegExp(`^${set} = .*$`, 'm')
  const section = set === 'DNS' ? '[Interface]' : '[Peer]'
  return known.test(config) ? config.replace(known, line) : config.replace(section, `${section}\n${line}`)
}

/**
 * Every directive that runs, loads, writes or reads something, and evasions of filters that worked on a real OpenVPN.
 */
export const openvpnTricks: readonly Trick[] = openvpn
export const wireguardTricks: readonly Trick[] = wireguard

export const transportOf = ({ tcp }: Trick): VpnTransport =>
  tcp === true ? 'wireguard+tcp' : 'wireguard+udp'

/** Returns the OpenVPN configuration, with CRLF, with this trick, or with all of them if the name is unknown. */
export function hostileConfig(config: string, name: string): string {
  const trick = openvpnTricks.find((known) => known.name === name)
  return (trick === undefined ? openvpnTricks : [trick]).reduce(applied, config)
}

/** Returns the WireGuard configuration with this trick; with commands if the name is unknown. */
export function hostileWireguard(config: string, name: string): string {
  const commands = { name, at: '\\[Interface\\]', text: '[Interface]\nPreUp = {program}\nPostUp = {program}' }
  return applied(config, wireguardTricks.find((known) => known.name === name) ?? commands)
}
