import { z } from 'zod'
import { errorReport } from './error-codes'

/** Every reason to reconnect. `--json` prints these words; the window and the terminal have a sentence for each. */
export const reconnectReasons = [
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
/** A profile of an instance. */
export const target = z.object({ instanceId: z.string().max(2048), profileId: z.string().max(1024) })
export type ConnectionTarget = Readonly<z.infer<typeof target>>

/** Another process of the same user that ended the tunnel; `takesOver`: to connect itself. */
export const disconnectedBy = z.object({
  kind: z.enum(['window', 'terminal']),
  pid: z.number(),
  takesOver: z.boolean(),
})
export type DisconnectedBy = z.infer<typeof disconnectedBy>

/**
 * The state of the connection, for every process, the window and scripts. Times are in milliseconds since the epoch.
 * `idle` is the state before the first attempt.
 *
 * discovering → authorizing (only when a login is needed) → preparing (key pair, configuration) → connecting →
 * connected → (reconnecting → connected)… → disconnecting → disconnected; failed from any of them.
 */
export const connectionState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({ state: z.enum(['discovering', 'authorizing', 'preparing']), target }),
  z.object({
    state: z.literal('connecting'),
    target,
    phase: z.enum(['starting', 'resolving', 'contacting', 'tls', 'authenticating', 'configuring']),
    remote: remote.optional(),
  }),
  z.object({
    state: z.literal('connected'),
    target,
    addresses: z.object({ ipv4: z.string().optional(), ipv6: z.string().optional() }),
    remote,
    cipher: z.string().optional(),
    /** All traffic goes through the tunnel: IPv4, and IPv6 if the tunnel has an IPv6 address. Absent while unknown. */
    allTraffic: z.boolean().optional(),
    /** All IPv4 traffic goes through the tunnel, but not all IPv6 traffic. */
    allIpv4: z.literal(true).optional(),
    /** The DNS servers that the server pushed; `applied`: the system uses them. Without domains, they apply to all names. */
    dns: z
      .object({
        servers: z.array(z.string()).readonly(),
        domains: z.array(z.string()).readonly(),
        applied: z.boolean(),
      })
      .optional(),
    /** The name of the tunnel's network device; absent after a handshake-only connection. */
    device: z.string().max(256).optional(),
    since: z.number(),
  }),
  z.object({
    state: z.literal('reconnecting'),
    target,
    // A process of another version may use other words.
    reason: z.enum(reconnectReasons).catch('other'),
    /** The number of the current or next attempt, counted from 1 since the tunnel was last up. */
    attempt: z.number(),
    /** Absent during an attempt, and while the time of the next one is unknown. */
    nextAttemptAt: z.number().optional(),
    /** The next attempt waits for a network. */
    waitingForNetwork: z.literal(true).optional(),
    /** There was no tunnel yet, so nothing holds traffic back. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({
    state: z.enum(['disconnecting', 'disconnected']),
    target,
    /** Absent if this process ended it itself. */
    by: disconnectedBy.optional(),
    /** The attempt was given up before there was a tunnel. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({ state: z.literal('failed'), target, error: errorReport }),
])
export type ConnectionState = Readonly<z.infer<typeof connectionState>>

/**
 * The state of the connection at a glance: the colour and shape of the mark. `limited`: connected, with less than the
 * profile promises or with routes that aren't known yet.
 */
export const tones = ['off', 'working', 'on', 'limited', 'trouble'] as const
export type Tone = (typeof tones)[number]

/** Returns the tone of a state. `promisesAll`: the profile is said to carry all traffic. */
export function toneOf(connection: ConnectionState, promisesAll?: boolean): Tone {
  switch (connection.state) {
    case 'idle':
    case 'disconnected':
      return 'off'
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
    case 'reconnecting':
    case 'disconnecting':
      return 'working'
    case 'connected': {
      const carried = carriedTraffic(connection, promisesAll)
      return carried === 'everything' || carried === 'networks' ? 'on' : 'limited'
    }
    case 'failed':
      return 'trouble'
  }
}

/** True from the moment the user asks for a tunnel until nothing of it is left. */
export function isUnderWay(connection: ConnectionState): boolean {
  const tone = toneOf(connection)
  return tone !== 'off' && tone !== 'trouble'
}

/** Returns whether the profile of a connection is said to carry all traffic; undefined where its service doesn't say. */
export function promisesAll(
  connection: ConnectionState,
  instances: readonly {
    readonly id: string
    readonly profiles: {
      readonly items: readonly { readonly profileId: string; readonly defaultGateway?: boolean | undefined }[]
    }
  }[],
): boolean | undefined {
  if (!('target' in connection)) return undefined
  const { instanceId, profileId } = connection.target
  const instance = instances.find(({ id }) => id === instanceId)
  return instance?.profiles.items.find((each) => each.profileId === profileId)?.defaultGateway
}

/**
 * Returns how much traffic a tunnel carries, from the routes that were set, as its key under `connection.truth`:
 * `lessThanPromised` where the profile promises all traffic and the server set up less, `checking` where it isn't known.
 * `onlyIpv4`: IPv6 traffic leaves outside the tunnel, although the tunnel could carry it.
 */
export function carriedTraffic(
  { allTraffic, allIpv4 }: { readonly allTraffic?: boolean | undefined; readonly allIpv4?: true | undefined },
  promisesAll: boolean | undefined,
): 'everything' | 'networks' | 'lessThanPromised' | 'onlyIpv4' | 'checking' {
  if (allTraffic === undefined) return 'checking'
  if (allTraffic) return 'everything'
  if (allIpv4 === true) return 'onlyIpv4'
  return promisesAll === true ? 'lessThanPromised' : 'networks'
}

/** Returns true before the first tunnel of a connection, also if the attempt was given up. */
export function isNotYetConnected(connection: {
  readonly state: ConnectionState['state']
  readonly notYetConnected?: true | undefined
}): boolean {
  switch (connection.state) {
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
      return true
    case 'reconnecting':
    case 'disconnecting':
    case 'disconnected':
      return connection.notYetConnected === true
    case 'idle':
    case 'connected':
    case 'failed':
      return false
  }
}

/** Returns the key of the state's word under `connection.word`. */
export function wordOf(
  connection: ConnectionState,
): 'connecting' | 'connected' | 'reconnecting' | 'disconnecting' | 'disconnected' {
  switch (connection.state) {
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
      return 'connecting'
    case 'reconnecting':
      return connection.notYetConnected ? 'connecting' : 'reconnecting'
    case 'connected':
    case 'disconnecting':
      return connection.state
    case 'idle':
    case 'disconnected':
    case 'failed':
      return 'disconnected'
  }
}

/** The parts of an instance that `connectTarget` goes by. */
interface KnownProfiles {
  readonly id: string
  readonly profiles: {
    readonly items: readonly { readonly profileId: string; readonly notSupported?: true | undefined }[]
  }
}

/**
 * Returns the profile to connect with where none is named: the one of the connection that is shown, else the one that was
 * connected last, else the only one there is. Undefined where that leaves a choice, or nothing. Profiles that Causeway
 * doesn't support are left out.
 */
export function connectTarget({
  connection,
  instances,
  shortcuts,
}: {
  readonly connection: ConnectionState
  readonly instances: readonly KnownProfiles[]
  readonly shortcuts: { readonly recent: readonly ConnectionTarget[] }
}): ConnectionTarget | undefined {
  const current = 'target' in connection ? [connection.target] : []
  const known = [...current, ...shortcuts.recent].find(({ instanceId, profileId }) =>
    instances.some(
      // The profiles are not known while nobody is logged in; the login comes on the way.
      ({ id, profiles: { items } }) =>
        id === instanceId &&
        (items.length === 0 ||
          items.some((item) => item.profileId === profileId && item.notSupported !== true)),
    ),
  )
  if (known !== undefined) return known
  const [only, ...others] = instances.flatMap(({ id, profiles }) =>
    profiles.items
      .filter(({ notSupported }) => notSupported !== true)
      .map(({ profileId }) => ({ instanceId: id, profileId })),
  )
  return others.length === 0 ? only : undefined
}
