import { z } from 'zod'
import { appsSplit } from './apps'
import { appsModes, dnsWays } from './choices'
import { errorReport } from './error-codes'

/** Every reason to reconnect. `--json` prints these words; the window and the terminal have a sentence for each. */
const reconnectReasons = [
  // OpenVPN's own (openvpn.md, "The log at verb 3").
  'ping-restart',
  'connection-reset',
  'server-pushed-connection-reset',
  'tls-error',
  'server_poll',
  'connection-failed',
  'network-unreachable',
  'remote-exit',
  'decryption-error',
  'auth-temp-failure',
  // WireGuard's.
  /** The server's answers have stopped. */
  'no-answer',
  'handshake-too-old',
  'process-ended',
  /** Another program removed the tunnel's device, routes or rules. */
  'device-gone',
  // The computer's.
  'network-down',
  'network-changed',
  'resumed-from-sleep',
  /** The user asked to reconnect. */
  'requested',
  'captive-portal',
  // Those of a failure, by the second half of its code.
  'unreachable',
  'name-not-resolved',
  'stopped-unexpectedly',
  'timed-out',
  'authentication-failed',
  /** The instance asks to wait (429). */
  'service-busy',
  /** The instance answered with a server error. */
  'service-error',
  /** A reason that only another version of OpenVPN gives. */
  'other',
] as const

export type ReconnectReason = (typeof reconnectReasons)[number]

/** Returns the reason for OpenVPN's word, which an explanation in brackets may follow. */
export function reconnectReason(word: string): ReconnectReason {
  const [first] = word.split(' ')
  return reconnectReasons.find((reason) => reason === first) ?? 'other'
}

const remote = z.object({ address: z.string(), port: z.number(), protocol: z.enum(['udp', 'tcp']) })
export const instance = z.object({ instanceId: z.string().max(2048) })
/** A profile of an instance. */
export const target = instance.extend({ profileId: z.string().max(1024) })
/** `auto`: the portal's choice. */
export const protocolChoice = target.extend({
  protocol: z.enum(['auto', 'wireguard', 'openvpn']),
  tcpOnly: z.boolean(),
})
/** What a user chose for a profile. */
export const profileChoice = protocolChoice.extend({
  /** Which apps use its tunnels; default: as the setting says. */
  appsMode: z.enum(appsModes).optional(),
})
export type ProfileChoice = Readonly<z.infer<typeof profileChoice>>
export type ConnectionTarget = Readonly<z.infer<typeof target>>

/** Another process of the same user that ended the tunnel; `takesOver`: to connect itself. */
export const disconnectedBy = z.object({
  kind: z.enum(['window', 'terminal']),
  pid: z.number(),
  takesOver: z.boolean(),
})
export type DisconnectedBy = z.infer<typeof disconnectedBy>

/** Lists of networks in a state are cut off here: a server may push any number. */
export const maxNetworks = 256
const networks = z.array(z.string().max(64)).max(maxNetworks).readonly()

/** What a tunnel carries, read from the routes of this computer; empty after a handshake-only connection. */
const carried = z.object({
  /** No traffic leaves outside the tunnel, except to the VPN's servers and to local networks. */
  allTraffic: z.boolean().optional(),
  /** All IPv4 traffic goes through the tunnel, but not all IPv6 traffic. */
  allIpv4: z.literal(true).optional(),
  /** The networks that are routed through the tunnel, such as `10.0.0.0/8`. */
  routes: networks.optional(),
  /** The networks that are reached outside a tunnel that carries most other traffic, but for `local`. */
  outside: networks.optional(),
  /** The tunnel's DNS servers that are reached outside it. */
  dnsOutside: networks.optional(),
  /** The local networks that are: small private ones that this computer is connected to. */
  local: networks.optional(),
  /** The routes couldn't be read, or don't tell which traffic goes through the tunnel; `allTraffic` is false. */
  routesUnknown: z.literal(true).optional(),
})
export type Carried = Readonly<z.infer<typeof carried>>

/** A tunnel that is up; what it carries, and the device, are absent after a handshake-only connection. */
const tunnelDetails = z.object({
  addresses: z.object({ ipv4: z.string().optional(), ipv6: z.string().optional() }),
  remote,
  /** Backends leave it out: it's that of the granted tunnel. */
  protocol: z.enum(['openvpn', 'wireguard']).optional(),
  /** WireGuard's last agreement on keys. */
  handshakeAt: z.number().optional(),
  cipher: z.string().optional(),
  ...carried.shape,
  /**
   * The DNS servers that the server pushed; `applied`: the system uses them. Without domains, and for a tunnel that carries most
   * traffic, they apply to all names, and with `allNames` because this computer can't limit them to the domains. `way`: what the
   * helper set them with; `problem`: why it couldn't.
   */
  dns: z
    .object({
      servers: z.array(z.string()).readonly(),
      domains: z.array(z.string()).readonly(),
      applied: z.boolean(),
      way: z.enum(dnsWays).optional(),
      allNames: z.literal(true).optional(),
      problem: z.enum(['immutable']).optional(),
    })
    .optional(),
  /** The name of the tunnel's network device. */
  device: z.string().max(256).optional(),
  /** The apps that don't use it, or that alone do. */
  apps: appsSplit.optional(),
})
export type TunnelDetails = Readonly<z.infer<typeof tunnelDetails>>

/** Whether the routes of a lost tunnel still keep its traffic from leaving outside it. */
export type RoutesLeft = 'kept' | 'gone'

const takesPlace = {
  /** The connection takes the place of another one, which is ended first. */
  switching: z.literal(true).optional(),
  /** That one goes to the same profile. */
  again: z.literal(true).optional(),
}

/**
 * The state of the connection, for every process, the window and scripts. Times are in milliseconds since the epoch.
 * `idle` is the state before the first attempt.
 *
 * discovering → authorizing (only when a login is needed) → preparing (key pair, configuration) → connecting →
 * connected → (reconnecting → connected)… → disconnecting → disconnected; failed from any of them.
 */
export const connectionState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.enum(['discovering', 'authorizing', 'preparing']), target, ...takesPlace }),
  z.object({
    state: z.literal('connecting'),
    target,
    ...takesPlace,
    phase: z.enum(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring']),
    remote: remote.optional(),
  }),
  z.object({
    state: z.literal('connected'),
    target,
    ...tunnelDetails.shape,
    /** Nothing has come back through the tunnel since it's up. */
    passing: z.literal(false).optional(),
    since: z.number(),
  }),
  z.object({
    state: z.literal('reconnecting'),
    target,
    // A process of another version may use other words.
    reason: z.enum(reconnectReasons).catch('other'),
    /** The number of the current or next attempt, counted from 1 since the tunnel was last up. */
    attempt: z.number(),
    /** `kept`: the tunnel's device and routes still stand, so that its traffic waits instead of leaving outside it. */
    routes: z.enum(['kept', 'gone']),
    /** The routes that are kept carry all traffic, so that all of it waits; absent where they couldn't be read. */
    allTraffic: z.boolean().optional(),
    /** Absent during an attempt, and while the time of the next one is unknown. */
    nextAttemptAt: z.number().optional(),
    /** The next attempt waits for a network. */
    waitingForNetwork: z.literal(true).optional(),
    /** There was no tunnel yet, so nothing holds traffic back. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({
    state: z.literal('disconnecting'),
    target,
    ...takesPlace,
    /** What is being ended, if that isn't a connection to the target. */
    from: target.optional(),
    /** Absent if this process ends it itself. */
    by: disconnectedBy.optional(),
    /** The attempt was given up before there was a tunnel. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({
    state: z.literal('disconnected'),
    target,
    /** Absent if this process ended it itself. */
    by: disconnectedBy.optional(),
    /** The attempt was given up before there was a tunnel. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({ state: z.literal('failed'), target, error: errorReport }),
])
export type ConnectionState = Readonly<z.infer<typeof connectionState>>
