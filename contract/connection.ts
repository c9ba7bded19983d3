import { z } from 'zod'
import { errorReport } from './error-codes'

/** Every reason to build a tunnel anew; `--json` gives these words, and the window and the terminal a sentence for each. */
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
  'captive-portal',
  // Those of a failure, by the second half of its code.
  'unreachable',
  'name-not-resolved',
  'stopped-unexpectedly',
  'timed-out',
  'authentication-failed',
  /** An answer of the instance says that it is at fault. */
  'service-error',
  /** What OpenVPN of another version may say. */
  'other',
] as const

export type ReconnectReason = (typeof reconnectReasons)[number]

/** The reason that a word of OpenVPN's stands for; an explanation in brackets may follow it. */
export function reconnectReason(word: string): ReconnectReason {
  const [first] = word.split(' ')
  return reconnectReasons.find((reason) => reason === first) ?? 'other'
}

const remote = z.object({ address: z.string(), port: z.number(), protocol: z.enum(['udp', 'tcp']) })
/** A profile of an instance. */
export const target = z.object({ instanceId: z.string().max(2048), profileId: z.string().max(1024) })
export type ConnectionTarget = Readonly<z.infer<typeof target>>

/** Another process of the same person that asked for the end of a tunnel; `takesOver`: to have one itself. */
export const disconnectedBy = z.object({
  kind: z.enum(['window', 'terminal']),
  pid: z.number(),
  takesOver: z.boolean(),
})
export type DisconnectedBy = z.infer<typeof disconnectedBy>

/**
 * The one connection, as every process, the window and INTERFACES show it; times are in milliseconds since the epoch. `idle` is
 * before the first attempt.
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
    allTraffic: z.boolean().optional(),
    /** The DNS servers that the server gave; `applied`: the system uses them. Without domains, for every name. */
    dns: z
      .object({
        servers: z.array(z.string()).readonly(),
        domains: z.array(z.string()).readonly(),
        applied: z.boolean(),
      })
      .optional(),
    /** The name of the tunnel's network device; absent after a handshake alone. */
    device: z.string().max(256).optional(),
    since: z.number(),
  }),
  z.object({
    state: z.literal('reconnecting'),
    target,
    // Another process of another version may have words of its own.
    reason: z.enum(reconnectReasons).catch('other'),
    /** Of the attempt under way, or of the next one; counted from 1 since the tunnel was last up. */
    attempt: z.number(),
    /** Absent during an attempt, and while the time of the next one is not known. */
    nextAttemptAt: z.number().optional(),
    /** The next attempt is made when there is a network again. */
    waitingForNetwork: z.literal(true).optional(),
    /** There has been no tunnel yet: traffic is not held back by one. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({
    state: z.enum(['disconnecting', 'disconnected']),
    target,
    /** Absent where this process ended it itself. */
    by: disconnectedBy.optional(),
    /** It was given up before there was a tunnel. */
    notYetConnected: z.literal(true).optional(),
  }),
  z.object({ state: z.literal('failed'), target, error: errorReport }),
])
export type ConnectionState = Readonly<z.infer<typeof connectionState>>

/** What a state means at a glance: the colour and shape of the mark. */
export type Tone = 'off' | 'working' | 'on' | 'trouble'

export function toneOf(connection: ConnectionState): Tone {
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
    case 'connected':
      return 'on'
    case 'failed':
      return 'trouble'
  }
}

/** Whether it is on its way to a first tunnel, or was given up there. */
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

/** The one word of the state, as its key under `connection.word`. */
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

/** Of an instance, what `connectTarget` goes by. */
interface KnownProfiles {
  readonly id: string
  readonly lastProfileId?: string | undefined
  readonly profiles: { readonly items: readonly { readonly profileId: string }[] }
}

/**
 * What to connect to where nobody says what: the profile that was used last at the instance that the window shows, else at
 * that of the last connection, or at the only instance, or its only profile. Undefined where that leaves a choice, or
 * nothing.
 */
export function connectTarget({
  connection,
  instances,
  shown,
}: {
  readonly connection: ConnectionState
  readonly instances: readonly KnownProfiles[]
  readonly shown?: { readonly instanceId?: string | undefined }
}): ConnectionTarget | undefined {
  const last = 'target' in connection ? connection.target : undefined
  const instance =
    instances.find(({ id }) => id === shown?.instanceId) ??
    instances.find(({ id }) => id === last?.instanceId) ??
    (instances.length === 1
      ? instances[0]
      : onlyOne(instances, ({ lastProfileId }) => lastProfileId !== undefined))
  if (instance === undefined) return undefined
  const { id, lastProfileId, profiles } = instance
  const known = profiles.items.map(({ profileId }) => profileId)
  // Who is logged out has no profiles to be seen, and logs in on the way.
  const profileId =
    [last?.instanceId === id ? last.profileId : undefined, lastProfileId].find(
      (each) => each !== undefined && (known.length === 0 || known.includes(each)),
    ) ?? onlyOne(known)
  return profileId === undefined ? undefined : { instanceId: id, profileId }
}

function onlyOne<Item>(items: readonly Item[], is: (item: Item) => boolean = () => true): Item | undefined {
  const found = items.filter(is)
  return found.length === 1 ? found[0] : undefined
}

/** Returns how much traffic a tunnel carries, as its key under `connection.sentence`; claims nothing when it's unknown. */
export function trafficOf({
  allTraffic,
}: {
  readonly allTraffic?: boolean | undefined
}): 'allTraffic' | 'someTraffic' | 'unknownTraffic' {
  if (allTraffic === undefined) return 'unknownTraffic'
  return allTraffic ? 'allTraffic' : 'someTraffic'
}
