import { z } from 'zod'
import { type Fault, faultSchema } from '../control/faults'
import { choice, needing, setting } from '../control/setting'
import type { MockState } from '../mock-state'
import { filledText } from '../seed/random'
import { hostileMessages, manyMessages, manyProfiles } from '../seed/vpn'
import { authorizeOutcomes } from './queued-answers'
import { certificateReasons } from './certificate-authority'
import { isInVersion2, type Profile, type ShownMessage, type VpnTransport } from './profile'
import {
  type ConnectAnswer,
  infoPaths,
  portalPaths,
  type Situation,
  situation3Flags,
  situationFlags,
} from './situation'
import { needsHooks, refusalSchema } from './tunnel/refusals'
import { allTunnelActions } from './tunnel/tunnel'
import { wireguardFaults } from './wireguard/wireguard'
import openvpn from '../seed/texts/hostile-openvpn.json'
import wireguard from '../seed/texts/hostile-wireguard.json'

const hourMs = 3_600_000
/** Address where nothing listens: TCP connections are refused, UDP is refused or silent. */
const deadEnd = { host: '127.0.0.1', port: 9 }

const profileLists: Record<string, (stored: Profile[]) => Profile[]> = {
  none: () => [],
  one: (stored) => stored.slice(0, 1),
  many: manyProfiles,
  'last-hidden': (stored) => {
    const last = stored.filter(isInVersion2).at(-1)
    return stored.map((profile) => (profile === last ? { ...profile, hidden: true } : profile))
  },
  'hostile-openvpn': (stored) => [...stored, ...openvpnTricks.map(({ name }) => hostileProfile(name))],
  'hostile-wireguard': (stored) => [
    ...stored,
    ...wireguardTricks.map((trick) => ({
      ...hostileProfile(trick.name),
      vpn_proto_transport_list: [transportOf(trick)],
    })),
  ],
}

function hostileProfile(name: string): Profile {
  return { profile_id: name, display_name: `Hostile: ${name}`, default_gateway: false }
}

const configurations: Record<string, NonNullable<Situation['changeConfig']>> = {
  empty: (config) => ({ ...config, body: '' }),
  page: () => ({
    contentType: 'text/html; charset=utf-8',
    body: '<!doctype html><title>Sign in</title><p>Please sign in to go on.</p>',
  }),
  /** With the trick of this name, or with all of them if it is unknown. The configuration has CRLF. */
  'hostile-openvpn': (config, name) => {
    const tricks = openvpnTricks.filter((known) => known.name === name)
    return { ...config, body: (tricks.length > 0 ? tricks : openvpnTricks).reduce(applied, config.body) }
  },
  /** With the trick of this name, or with commands if it is unknown. */
  'hostile-wireguard': (config, name) => {
    if (!config.contentType.includes('wireguard')) return config
    const trick = wireguardTricks.find((known) => known.name === name) ?? commands
    return { ...config, body: applied(config.body, trick) }
  },
}

const remotes: Record<string, NonNullable<Situation['changeRemotes']>> = {
  none: () => [],
  dead: (usual) => usual.map(({ protocol }) => ({ ...deadEnd, protocol })),
  'dead-first': (usual) => [{ ...deadEnd, protocol: 'tcp' }, ...usual],
  tcp: (usual) => usual.filter(({ protocol }) => protocol === 'tcp'),
  udp: (usual) => usual.filter(({ protocol }) => protocol === 'udp'),
}

const messages: Record<string, (now: Date, usual: ShownMessage[]) => ShownMessage[]> = {
  none: () => [],
  many: manyMessages,
  hostile: hostileMessages,
  maintenance: (now, usual) => {
    const inHours = (hours: number) => new Date(now.getTime() + hours * hourMs).toISOString()
    return [{ type: 'maintenance', date_time: inHours(0), begin: inHours(24), end: inHours(26) }, ...usual]
  },
}

const connectAnswers: Record<string, (answer: ConnectAnswer, now: Date) => ConnectAnswer> = {
  'already-expired': (answer, now) => ({ ...answer, expires: new Date(now.getTime() - hourMs) }),
  'without-expires': ({ contentType, body }) => ({ contentType, body }),
  'malformed-expires': (answer) => ({ ...answer, expires: 'in three months' }),
  'wrong-content-type': (answer) => ({ ...answer, contentType: 'text/plain; charset=utf-8' }),
  'other-protocol': (answer) => ({
    ...answer,
    contentType: answer.contentType.includes('openvpn')
      ? 'application/x-wireguard-profile'
      : 'application/x-openvpn-profile',
  }),
  'without-allowed-ips': (answer) => ({
    ...answer,
    body: answer.body.replace(/^AllowedIPs = .*\n/m, ''),
  }),
  'loopback-endpoint': (answer) => ({
    ...answer,
    body: answer.body.replace(/^Endpoint = .*$/m, 'Endpoint = localhost:51820'),
  }),
}

const infoAnswers: Record<string, NonNullable<Situation['changeInfo']>> = {
  'names-by-language': (profiles) =>
    profiles.map((profile) => ({
      ...profile,
      display_name: {
        en: `${profile.display_name} (English)`,
        nl: `${profile.display_name} (Nederlands)`,
      },
    })),
  'unknown-fields': (profiles) =>
    profiles.map((profile) => ({
      ...profile,
      vpn_proto_list: [...profile.vpn_proto_list, 'carrier-pigeon'],
      vpn_proto_transport_list: [...(profile.vpn_proto_transport_list ?? []), 'carrier-pigeon+air'],
      vpn_proto_preferred: 'carrier-pigeon',
      oauth_scope: null,
      limits: { bandwidth: [1, 2, 3] },
    })),
  'without-transports': (profiles) =>
    profiles.map(({ vpn_proto_transport_list: _transports, ...profile }) => profile),
  'wireguard-only': (profiles) =>
    profiles.filter(({ vpn_proto_list }) => !vpn_proto_list.includes('openvpn')),
}

function change({ vpn }: MockState, situation: Situation): void {
  vpn.situation = { ...vpn.situation, ...situation }
}

function addFaults({ faults }: MockState, paths: readonly string[], fault: Fault): void {
  for (const path of paths) faults.add({ match: { path }, fault })
}

function requireTunnel({ vpn }: MockState, needsFull = false): void {
  const { mode } = vpn.tunnelStatus
  if (mode === 'none') throw new Error('Start the mock with --tunnel openvpn.')
  if (needsFull && mode !== 'full') throw new Error(needsHooks)
}

function requireWireguard({ vpn: { wireguard } }: MockState): void {
  if (wireguard.status.mode === 'full') return
  throw new Error(wireguard.status.reason ?? 'Start the mock with --tunnel wireguard.')
}

/** A choice between changes of the situation, each of which may depend on the world. */
const situation = <T>(table: Record<string, T>, changeOf: (chosen: T, world: MockState) => Situation) =>
  choice(table, (world, chosen) => {
    change(world, changeOf(chosen, world))
  })

export const vpnSettings = {
  authorize: setting(z.enum(authorizeOutcomes), ({ vpn }, next) => {
    vpn.authorize.decided = { next }
  }),
  vpn: setting(situationFlags, change),
  version3: setting(situation3Flags, change),
  profiles: situation(profileLists, (list, { vpn }) => ({ profiles: list(vpn.profiles.get()) })),
  configuration: situation(configurations, (changeConfig) => ({ changeConfig })),
  remotes: situation(remotes, (changeRemotes) => ({ changeRemotes })),
  messages: situation(messages, (list, { clock, vpn }) => ({
    systemMessages: list(clock.now(), vpn.shownMessages()),
  })),
  connect: situation(connectAnswers, (changed, { clock }) => {
    const now = clock.now()
    return { changeConnect: (answer) => changed(answer, now) }
  }),
  info: situation(infoAnswers, (changeInfo) => ({ changeInfo })),
  reportInvalid: setting(
    z.strictObject({ reason: z.enum(certificateReasons), which: z.enum(['issued', 'all']) }),
    ({ vpn }, { reason, which }) => {
      vpn.reportInvalid(reason, which)
    },
  ),
  sessions: setting(
    z.strictObject({ endInSeconds: z.int(), later: z.boolean() }),
    ({ vpn }, { endInSeconds, later }) => {
      vpn.tokens.endSessions(endInSeconds, { later })
    },
  ),
  accessTokenSeconds: setting(z.int(), ({ vpn }, seconds) => {
    vpn.tokens.accessTokenSeconds = seconds
  }),
  accessTokens: setting(z.literal('refused'), ({ vpn }) => {
    vpn.tokens.refuseAccessTokens()
  }),
  logins: setting(z.literal('revoked'), ({ vpn }) => {
    vpn.endLogins()
  }),
  clients: setting(z.literal('disconnected'), ({ vpn }) => {
    vpn.disconnectClients()
  }),
  // The status of the tunnel reports failures of the next two, which never reject.
  tunnelRefusal: needing(
    (world) => {
      requireTunnel(world, true)
    },
    setting(refusalSchema, ({ vpn }, refusal) => {
      vpn.tunnel?.refuseAll(refusal)
    }),
  ),
  tunnel: needing(
    requireTunnel,
    setting(z.enum(allTunnelActions), ({ vpn }, action) => {
      void vpn.actOnTunnel(action)
    }),
  ),
  wireguard: needing(
    requireWireguard,
    setting(wireguardFaults, ({ vpn }, faults) => {
      void vpn.wireguard.setFaults(faults)
    }),
  ),
  wireguardPeers: needing(
    requireWireguard,
    setting(z.literal('removed'), ({ vpn }) => {
      void vpn.version3.removePeers()
    }),
  ),
  portalFault: setting(faultSchema, (world, fault) => {
    addFaults(world, portalPaths, fault)
  }),
  discoveryFault: setting(faultSchema, (world, fault) => {
    addFaults(world, infoPaths, fault)
  }),
}

/** A change of a configuration that clients must refuse: replaces what an expression matches, or sets the value of a key. */
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
  const repeated = (_all: string, letter: string, times: string) => letter.repeat(Number(times))
  return filledText(text.replace(/\{(\w)\*(\d+)\}/g, repeated), values)
}

function applied(config: string, { at = '', text = '', set, value = '' }: Trick): string {
  if (set === undefined) return config.replace(new RegExp(at), filled(text))
  const line = `${set} = ${filled(value)}`
  const known = new RegExp(`^${set} = .*$`, 'm')
  const section = set === 'DNS' ? '[Interface]' : '[Peer]'
  return known.test(config) ? config.replace(known, line) : config.replace(section, `${section}\n${line}`)
}

/** Every directive that runs, loads, writes or reads something, and evasions that worked on a real OpenVPN. */
export const openvpnTricks: readonly Trick[] = openvpn
export const wireguardTricks: readonly Trick[] = wireguard
const commands: Trick = {
  name: 'commands',
  at: '\\[Interface\\]',
  text: '[Interface]\nPreUp = {program}\nPostUp = {program}',
}

const transportOf = ({ tcp }: Trick): VpnTransport => (tcp === true ? 'wireguard+tcp' : 'wireguard+udp')
