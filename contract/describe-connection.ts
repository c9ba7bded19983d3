// In its own file so that the first view doesn't load the state's schema.
import type { AppsSplit } from './apps'
import type { ConnectionState, DisconnectedBy, ReconnectReason, RoutesLeft } from './connection'
import type { BrowserWait } from './browser-wait'
import { stepsAfter, type StepFacts, stepsFor } from './connection-steps'
import type { Verb } from './verbs'
import { type Carries, carriedTraffic, isAsPromised, isUnderWay, lessThanAll } from './connection-summary'
import { direct, lanesOf, type Lanes, restWhileKept, walled } from './lanes'

/**
 * The state at a glance: the colour and shape of the mark. `on`: the profile's promise is kept; `limited`: connected, with less
 * than that, or with routes that aren't known yet; `failed`: traffic leaves without the VPN; `blocked`: no traffic leaves.
 */
export const tones = ['off', 'working', 'on', 'limited', 'failed', 'blocked'] as const
export type Tone = (typeof tones)[number]

/** The key of the headline under `connection.word`. */
export type Word =
  | 'connecting'
  | 'switching'
  | 'connected'
  | 'nothing'
  | 'reconnecting'
  | 'disconnecting'
  | 'disconnected'
  | 'failed'
  | 'blocked'
  | 'browser'

/** A sentence: its key, to be filled in with `ConnectionDescription.values`. */
type Sentence =
  | `connection.sentence.${StateSentence}`
  | `connection.truth.${Carries}`
  | `connection.reason.${ReconnectReason}`
  | `connection.meanwhile.${Meanwhile}`

/** The state in a few words: of a connection that carries less than it should, they say so. */
type Glance = `connection.word.${Word}` | `connection.glance.${NonNullable<ReturnType<typeof lessThanAll>>}`

/** The headline of the stage: the word, unless there is something to do that says more. */
type Headline = `connection.word.${Word | 'networkSignIn'}`

type Meanwhile = RoutesLeft | 'keptNetworks' | 'blocked' | 'blockedPage'

type StateSentence =
  | 'idle'
  | 'discovering'
  | 'authorizing'
  | 'openingBrowser'
  | 'staysConnected'
  | 'staysAsItIs'
  | 'preparing'
  | 'starting'
  | 'resolving'
  | 'contacting'
  | 'contactingRemote'
  | 'tls'
  | 'authenticating'
  | 'configuring'
  | 'connected'
  | 'reconnecting'
  | 'waitingForNetwork'
  | 'nextAttempt'
  | 'networkWantsSignIn'
  | 'onceSignedIn'
  | 'firstWhenNetwork'
  | 'switching'
  | 'disconnecting'
  | 'endedByTerminal'
  | 'endedByWindow'
  | 'tookOverTerminal'
  | 'tookOverWindow'
  | 'cancelling'
  | 'cancelled'
  | 'cancelledByTerminal'
  | 'cancelledByWindow'
  | 'blocked'

/** What is known besides the state itself. */
export interface ConnectionFacts extends StepFacts {
  /** For times (BCP 47). */
  readonly locale: string
  /** The name of the service and of the profile; by default their ids. */
  readonly service?: string | undefined
  readonly profile?: string | undefined
  /** The kill switch blocks traffic outside the tunnel. */
  readonly blocks?: boolean | undefined
  /** The profile is said to carry all traffic. */
  readonly promisesAll?: boolean | undefined
  /** Another process holds the connection. */
  readonly isHeld?: boolean | undefined
  /** The sign-in that waits for the person, to whichever service. */
  readonly signIn?: BrowserWait | undefined
}

/** The state of the connection for people, in the window, the tray, notifications and the terminal. */
export interface ConnectionDescription {
  readonly word: Word
  readonly headline: Headline
  /** For where the sentences have no room. */
  readonly glance: Glance
  readonly tone: Tone
  readonly lanes: Lanes
  /** The sentences that follow the word, the most important first. */
  readonly sentences: readonly [Sentence, ...Sentence[]]
  /** The values of the sentences. */
  readonly values: {
    readonly instance: string
    readonly profile: string
    readonly pid: number | string
    readonly remote: string
    /** The time of the next attempt, in the given locale. */
    readonly time: string
    /** The local networks that are reached outside the tunnel: two of them, and how many more there are. */
    readonly local: string
    /** The number of apps on the other side than the rest. */
    readonly count: number
  }
  /** What to do; the first is the step that helps most. */
  readonly verbs: readonly Verb[]
  /** False where nothing here helps before the person has done something elsewhere: then no button is filled. */
  readonly firstHelps: boolean
}

/** Describes a state of the connection. */
export function describeConnection(
  connection: ConnectionState,
  facts: ConnectionFacts,
): ConnectionDescription {
  const target = 'target' in connection ? connection.target : undefined
  const base =
    facts.blocks === true && !isUnderWay(connection)
      ? blockedState(connection, facts)
      : described(connection, facts)
  const description =
    facts.signIn === undefined ? base : yourTurn(base, { connection, facts, signIn: facts.signIn })
  return {
    firstHelps: true,
    glance: `connection.word.${description.word}`,
    headline: `connection.word.${description.word}`,
    ...description,
    values: {
      local: connection.state === 'connected' ? someOf(connection.local) : '',
      count: connection.state === 'connected' ? appsApart(connection) : 0,
      instance: facts.service ?? target?.instanceId ?? '',
      profile: facts.profile ?? target?.profileId ?? '',
      pid: ('by' in connection ? connection.by?.pid : undefined) ?? '',
      remote:
        connection.state === 'connecting' && connection.remote !== undefined
          ? remoteText(connection.remote)
          : '',
      time:
        connection.state === 'reconnecting' && connection.nextAttemptAt !== undefined
          ? new Intl.DateTimeFormat(facts.locale, { timeStyle: 'medium' }).format(connection.nextAttemptAt)
          : '',
    },
  }
}

function appsApart({ apps }: { readonly apps?: AppsSplit | undefined }): number {
  return (apps?.outside.length ?? 0) + (apps?.inside.length ?? 0)
}

function someOf(networks: readonly string[] = []): string {
  const more = networks.length - 2
  return [...networks.slice(0, 2), ...(more > 0 ? [`+${more}`] : [])].join(', ')
}

type Described = Omit<ConnectionDescription, 'values' | 'glance' | 'headline' | 'firstHelps'> & {
  readonly headline?: Headline
  readonly glance?: Glance
  readonly firstHelps?: boolean
}

function blockedState(connection: ConnectionState, facts: ConnectionFacts): Described {
  const after = connection.state === 'failed' ? stepsAfter(connection.error, facts) : undefined
  const [first = 'tryAgain', ...rest]: readonly Verb[] = after?.verbs ?? []
  const asReconnect = (verb: Verb): Verb => (verb === 'tryAgain' ? 'reconnect' : verb)
  return {
    word: 'blocked',
    tone: 'blocked',
    lanes: { organization: 'blocked', rest: 'blocked' },
    sentences: ['connection.sentence.blocked'],
    // The page of a network can't be opened before that.
    verbs:
      first === 'openPage'
        ? ['allowTraffic', first, ...rest.map(asReconnect)]
        : [asReconnect(first), 'allowTraffic', ...rest.map(asReconnect)],
    firstHelps: after?.firstHelps ?? true,
  }
}

/** The person goes on in the browser. A tunnel that stands meanwhile, and a barrier, are drawn as they are. */
function yourTurn(
  base: Described,
  {
    connection,
    facts: { blocks },
    signIn: { instanceId, until },
  }: {
    readonly connection: ConnectionState
    readonly facts: ConnectionFacts
    readonly signIn: BrowserWait
  },
): Described {
  const isOpen = until !== undefined
  const verbs: readonly Verb[] = isOpen ? ['cancelSignIn', 'openBrowser', 'copyLink'] : ['cancelSignIn']
  const sentence = isOpen ? 'connection.sentence.authorizing' : 'connection.sentence.openingBrowser'
  // No browser gets through.
  if (base.tone === 'blocked')
    return {
      ...base,
      word: 'browser',
      sentences: ['connection.sentence.blocked'],
      verbs: ['cancelSignIn', 'allowTraffic', ...verbs.slice(1)],
    }
  const isForConnection = connection.state === 'authorizing' && connection.target.instanceId === instanceId
  if (!isUnderWay(connection) || connection.state === 'disconnecting' || isForConnection)
    return {
      word: 'browser',
      tone: 'working',
      lanes: { organization: 'yourTurn', rest: blocks === true ? 'waiting' : 'direct' },
      sentences: [sentence],
      verbs,
    }
  const stays = base.tone === 'on' ? 'connection.sentence.staysConnected' : 'connection.sentence.staysAsItIs'
  return {
    word: 'browser',
    tone: base.tone,
    lanes: base.lanes,
    sentences: connection.state === 'connected' ? [sentence, stays] : [sentence],
    verbs: [...verbs, 'disconnect'],
  }
}

function described(connection: ConnectionState, facts: ConnectionFacts): Described {
  const rest = facts.blocks === true ? 'waiting' : 'direct'
  const beforeFirst: Lanes = { organization: 'waiting', rest }
  switch (connection.state) {
    case 'idle':
      return {
        word: 'disconnected',
        tone: 'off',
        lanes: direct,
        sentences: ['connection.sentence.idle'],
        verbs: ['connect'],
      }
    case 'authorizing':
      return {
        word: 'browser',
        tone: 'working',
        lanes: { organization: 'yourTurn', rest },
        sentences: ['connection.sentence.authorizing'],
        verbs: ['cancel'],
      }
    case 'discovering':
    case 'preparing':
      return {
        word: wordOnTheWay(connection),
        tone: 'working',
        lanes: beforeFirst,
        sentences: [`connection.sentence.${connection.state}`],
        verbs: ['cancel'],
      }
    case 'connecting': {
      const { phase, remote } = connection
      return {
        word: wordOnTheWay(connection),
        tone: 'working',
        lanes: beforeFirst,
        sentences: [
          `connection.sentence.${phase === 'contacting' && remote !== undefined ? 'contactingRemote' : phase}`,
        ],
        verbs: ['cancel'],
      }
    }
    case 'connected': {
      const carried = carriedTraffic(connection, facts.promisesAll)
      return {
        ...wordsFor(carried),
        tone: isAsPromised(carried) ? 'on' : 'limited',
        lanes: lanesOf(carried, connection.allTraffic === true),
        verbs: ['disconnect', ...(facts.isHeld === true ? [] : stepsFor(carried, connection, facts))],
      }
    }
    case 'reconnecting':
      return reconnectingState(connection, facts, beforeFirst)
    case 'disconnecting':
      return disconnectingState(connection)
    case 'disconnected':
      return {
        word: 'disconnected',
        tone: 'off',
        lanes: direct,
        sentences: endOf(connection),
        verbs: ['connect'],
      }
    case 'failed': {
      const { code } = connection.error
      return {
        // Nothing was tried: the login that the tunnel depends on has ended.
        word: code === 'session/over' ? 'disconnected' : 'failed',
        tone: 'failed',
        lanes: code === 'network/captive-portal' ? walled : direct,
        sentences: ['connection.sentence.idle'],
        ...stepsAfter(connection.error, facts),
      }
    }
  }
}

type Reconnecting = Extract<ConnectionState, { state: 'reconnecting' }>

function reconnectingState(connection: Reconnecting, facts: ConnectionFacts, beforeFirst: Lanes): Described {
  const { notYetConnected: isFirst, waitingForNetwork, reason, routes } = connection
  const meanwhile = meanwhileOf(connection, facts)
  if (isWalled(connection) && facts.blocks !== true) return behindWall(connection, facts)
  return {
    word: isFirst ? 'connecting' : 'reconnecting',
    tone: 'working',
    lanes: isFirst
      ? beforeFirst
      : facts.blocks === true
        ? { organization: 'waiting', rest: 'waiting' }
        : routes === 'gone'
          ? direct
          : { organization: 'waiting', rest: restWhileKept(connection.allTraffic ?? facts.promisesAll) },
    sentences: [
      `connection.sentence.${sentenceWhileReconnecting(connection)}`,
      ...(isFirst && facts.blocks !== true ? [] : ([`connection.meanwhile.${meanwhile}`] as const)),
      ...(waitingForNetwork ? [] : ([`connection.reason.${reason}`] as const)),
    ],
    verbs: [
      isFirst ? 'cancel' : 'disconnect',
      ...(facts.isHeld === true || meanwhile === 'blockedPage' ? [] : (['retryNow'] as const)),
    ],
  }
}

function meanwhileOf(connection: Reconnecting, { blocks, promisesAll }: ConnectionFacts): Meanwhile {
  const { routes, allTraffic } = connection
  if (blocks === true) return isWalled(connection) ? 'blockedPage' : 'blocked'
  return routes === 'kept' && (allTraffic ?? promisesAll) === false ? 'keptNetworks' : routes
}

function isWalled({ reason, waitingForNetwork }: Reconnecting): boolean {
  return reason === 'captive-portal' && !waitingForNetwork
}

/** The network lets nothing through before the person has signed in to it; Causeway goes on by itself then. */
function behindWall(connection: Reconnecting, facts: ConnectionFacts): Described {
  const { notYetConnected: isFirst } = connection
  return {
    word: isFirst ? 'connecting' : 'reconnecting',
    headline: 'connection.word.networkSignIn',
    tone: 'failed',
    lanes: walled,
    sentences: [
      'connection.sentence.networkWantsSignIn',
      'connection.reason.captive-portal',
      'connection.sentence.onceSignedIn',
      ...(isFirst ? [] : ([`connection.meanwhile.${meanwhileOf(connection, facts)}`] as const)),
    ],
    verbs: [
      'openPage',
      isFirst ? 'cancel' : 'disconnect',
      ...(facts.isHeld === true ? [] : (['retryNow'] as const)),
    ],
  }
}

function disconnectingState(connection: Extract<ConnectionState, { state: 'disconnecting' }>): Described {
  if (connection.switching)
    return {
      word: wordOnTheWay(connection),
      tone: 'working',
      lanes: { organization: 'closing', rest: 'closing' },
      sentences: [`connection.sentence.${connection.again ? 'reconnecting' : 'switching'}`],
      verbs: ['cancel'],
    }
  return {
    word: 'disconnecting',
    tone: 'working',
    lanes: { organization: 'closing', rest: 'closing' },
    sentences: [`connection.sentence.${connection.notYetConnected ? 'cancelling' : 'disconnecting'}`],
    verbs: ['disconnect'],
  }
}

function wordOnTheWay({
  switching,
  again,
}: {
  readonly switching?: true | undefined
  readonly again?: true | undefined
}): Word {
  if (again) return 'reconnecting'
  return switching ? 'switching' : 'connecting'
}

/** "Connected" is never said where nothing gets through. */
function wordsFor(carried: Carries): Pick<ConnectionDescription, 'word' | 'glance' | 'sentences'> {
  const truth = `connection.truth.${carried}` as const
  if (carried === 'nothing') return { word: 'nothing', glance: 'connection.word.nothing', sentences: [truth] }
  const less = lessThanAll(carried)
  return {
    word: 'connected',
    glance: less === undefined ? 'connection.word.connected' : `connection.glance.${less}`,
    sentences: ['connection.sentence.connected', truth],
  }
}

function sentenceWhileReconnecting({
  notYetConnected: isFirst,
  waitingForNetwork,
  nextAttemptAt,
  reason,
}: Reconnecting): StateSentence {
  if (waitingForNetwork) return isFirst ? 'firstWhenNetwork' : 'waitingForNetwork'
  // Attempts fail until the person has done so.
  if (reason === 'captive-portal') return 'networkWantsSignIn'
  if (nextAttemptAt !== undefined) return 'nextAttempt'
  return isFirst ? 'contacting' : 'reconnecting'
}

function endOf({
  by,
  notYetConnected,
}: {
  readonly by?: DisconnectedBy | undefined
  readonly notYetConnected?: true | undefined
}): ConnectionDescription['sentences'] {
  const unprotected = 'connection.sentence.idle'
  if (by === undefined)
    return notYetConnected ? ['connection.sentence.cancelled', unprotected] : [unprotected]
  const who = by.kind === 'window' ? 'Window' : 'Terminal'
  if (by.takesOver) return [`connection.sentence.tookOver${who}`]
  return [`connection.sentence.${notYetConnected ? 'cancelledBy' : 'endedBy'}${who}`, unprotected]
}

/** Formats a server, such as `192.0.2.1:1194 (UDP)`, with an IPv6 address in brackets. */
export function remoteText({
  address,
  port,
  protocol,
}: {
  readonly address: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
}): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${host}:${port} (${protocol.toUpperCase()})`
}
