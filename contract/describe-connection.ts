// In its own file so that the first view doesn't load the state's schema.
import type { ConnectionState, DisconnectedBy, ReconnectReason, RoutesLeft } from './connection'
import { type Carries, carriedTraffic, isAsPromised, isUnderWay, lessThanAll } from './connection-summary'
import type { ErrorReport } from './error-codes'
import { firstStepAfter } from './first-steps'
import { direct, lanesOf, type Lanes, restWhileKept } from './lanes'
import type { HelperSlice } from './state'

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

/**
 * Something to do about the connection. The commands of `cancel` and `disconnect`, of `connect`, `reconnect` and `tryAgain`, and
 * of `retryNow` and `tryOther`, are the same.
 */
export type Verb =
  | 'connect'
  | 'cancel'
  | 'disconnect'
  | 'reconnect'
  | 'tryAgain'
  | 'tryTcp'
  | 'tryOther'
  | 'retryNow'
  | 'openPage'
  | 'signInAgain'
  | 'chooseProfile'
  | 'openClockSettings'
  | 'chooseOpenVpn'
  | 'installHelper'
  | 'renew'
  | 'allowTraffic'
  | 'checkComputer'
  | 'copyForHelpDesk'

/** A sentence: its key, to be filled in with `ConnectionDescription.values`. */
type Sentence =
  | `connection.sentence.${StateSentence}`
  | `connection.truth.${Carries}`
  | `connection.reason.${ReconnectReason}`
  | `connection.meanwhile.${RoutesLeft | 'keptNetworks' | 'blocked'}`

/** The state in a few words: of a connection that carries less than it should, they say so. */
type Glance = `connection.word.${Word}` | `connection.glance.${NonNullable<ReturnType<typeof lessThanAll>>}`

type StateSentence =
  | 'idle'
  | 'discovering'
  | 'authorizing'
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
export interface ConnectionFacts {
  /** For times (BCP 47). */
  readonly locale: string
  /** The name of the service and of the profile; by default their ids. */
  readonly service?: string | undefined
  readonly profile?: string | undefined
  /** The kill switch blocks traffic outside the tunnel. */
  readonly blocks?: boolean | undefined
  /** The profile is said to carry all traffic. */
  readonly promisesAll?: boolean | undefined
  /** Only servers over TCP are used already. */
  readonly preferTcp?: boolean | undefined
  /** The privileged helper of this computer. */
  readonly helper?: HelperSlice | undefined
  /** The settings of the system's clock can be opened. */
  readonly hasClockSettings?: boolean | undefined
  /** Another process holds the connection. */
  readonly isHeld?: boolean | undefined
}

/** The state of the connection for people, in the window, the tray, notifications and the terminal. */
export interface ConnectionDescription {
  readonly word: Word
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
  const description =
    facts.blocks === true && !isUnderWay(connection)
      ? blockedState(connection, facts)
      : described(connection, facts)
  return {
    firstHelps: true,
    glance: `connection.word.${description.word}`,
    ...description,
    values: {
      local: connection.state === 'connected' ? someOf(connection.local) : '',
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

function someOf(networks: readonly string[] = []): string {
  const more = networks.length - 2
  return [...networks.slice(0, 2), ...(more > 0 ? [`+${more}`] : [])].join(', ')
}

type Described = Omit<ConnectionDescription, 'values' | 'glance' | 'firstHelps'> & {
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

function described(connection: ConnectionState, facts: ConnectionFacts): Described {
  const beforeFirst: Lanes = { organization: 'waiting', rest: facts.blocks === true ? 'waiting' : 'direct' }
  switch (connection.state) {
    case 'idle':
      return {
        word: 'disconnected',
        tone: 'off',
        lanes: direct,
        sentences: ['connection.sentence.idle'],
        verbs: ['connect'],
      }
    case 'discovering':
    case 'authorizing':
    case 'preparing':
      return {
        word: connection.switching ? 'switching' : 'connecting',
        tone: 'working',
        lanes: beforeFirst,
        sentences: [`connection.sentence.${connection.state}`],
        verbs: ['cancel'],
      }
    case 'connecting': {
      const { phase, remote } = connection
      return {
        word: connection.switching ? 'switching' : 'connecting',
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
    case 'reconnecting': {
      const { notYetConnected: isFirst, waitingForNetwork, reason, routes } = connection
      const allTraffic = connection.allTraffic ?? facts.promisesAll
      const meanwhile =
        facts.blocks === true
          ? 'blocked'
          : routes === 'kept' && allTraffic === false
            ? 'keptNetworks'
            : routes
      return {
        word: isFirst ? 'connecting' : 'reconnecting',
        tone: 'working',
        lanes: isFirst
          ? beforeFirst
          : facts.blocks === true
            ? { organization: 'waiting', rest: 'waiting' }
            : routes === 'gone'
              ? direct
              : { organization: 'waiting', rest: restWhileKept(allTraffic) },
        sentences: [
          `connection.sentence.${sentenceWhileReconnecting(connection)}`,
          ...(isFirst && facts.blocks !== true ? [] : ([`connection.meanwhile.${meanwhile}`] as const)),
          ...(waitingForNetwork ? [] : ([`connection.reason.${reason}`] as const)),
        ],
        verbs: [
          isFirst ? 'cancel' : 'disconnect',
          ...(reason === 'captive-portal' && facts.blocks !== true ? (['openPage'] as const) : []),
          ...(facts.isHeld === true ? [] : (['retryNow'] as const)),
        ],
      }
    }
    case 'disconnecting':
      if (connection.switching)
        return {
          word: 'switching',
          tone: 'working',
          lanes: { organization: 'closing', rest: 'closing' },
          sentences: ['connection.sentence.switching'],
          verbs: ['cancel'],
        }
      return {
        word: 'disconnecting',
        tone: 'working',
        lanes: { organization: 'closing', rest: 'closing' },
        sentences: [`connection.sentence.${connection.notYetConnected ? 'cancelling' : 'disconnecting'}`],
        verbs: ['disconnect'],
      }
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
        lanes: direct,
        sentences: ['connection.sentence.idle'],
        ...stepsAfter(connection.error, facts),
      }
    }
  }
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

/** Returns what may help where a tunnel carries less than it should. */
function stepsFor(
  carried: Carries,
  { remote }: Extract<ConnectionState, { state: 'connected' }>,
  { preferTcp }: ConnectionFacts,
): readonly Verb[] {
  switch (carried) {
    case 'nothing':
      return ['tryOther', ...(remote.protocol === 'udp' && preferTcp !== true ? (['tryTcp'] as const) : [])]
    case 'lessThanPromised':
    case 'noRoutes':
      // A new tunnel sets its routes again, unless the server or another program is at fault.
      return ['reconnect', 'checkComputer', 'copyForHelpDesk']
    case 'namesOutside':
    case 'unknown':
      return ['checkComputer', 'copyForHelpDesk']
    case 'everything':
    case 'everythingButLocal':
    case 'networks':
    case 'onlyIpv4':
    case 'exceptions':
    case 'checking':
      return []
  }
}

function sentenceWhileReconnecting({
  notYetConnected: isFirst,
  waitingForNetwork,
  nextAttemptAt,
  reason,
}: Extract<ConnectionState, { state: 'reconnecting' }>): StateSentence {
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

/** Returns what helps after a failure, the best first, and whether the first is the step that the sentence names. */
function stepsAfter(
  { code, variant, details }: ErrorReport,
  { preferTcp, helper, hasClockSettings }: Pick<ConnectionFacts, 'preferTcp' | 'helper' | 'hasClockSettings'>,
): { readonly verbs: readonly Verb[]; readonly firstHelps: boolean } {
  const check = /^(?:openvpn|wireguard|helper|clock)\//.test(code) ? (['checkComputer'] as const) : []
  const helps = (...verbs: readonly Verb[]) => ({ verbs, firstHelps: true })
  const again = ['tryAgain', ...check, 'copyForHelpDesk'] as const
  const nothing = { verbs: again, firstHelps: false }
  const step = firstStepAfter(code, variant ?? details?.reason)
  switch (step) {
    case 'tryAgain':
      return helps(...again)
    case 'nothing':
      return nothing
    case 'tryTcp':
      return preferTcp === true ? nothing : helps('tryTcp', ...again)
    case 'renew':
      return helps('renew')
    case 'openPage':
      return helps('openPage', 'tryAgain')
    case 'signInAgain':
      return helps('signInAgain', 'copyForHelpDesk')
    case 'chooseProfile':
      return helps('chooseProfile', ...again)
    case 'openClockSettings':
      return hasClockSettings === true ? helps('openClockSettings', 'tryAgain', ...check) : nothing
    case 'chooseOpenVpn':
      return helps('chooseOpenVpn', 'tryAgain', ...check)
    case 'installHelper':
      if (helper === 'installable') return helps('installHelper', 'tryAgain', 'checkComputer')
      // It was installed meanwhile.
      if (helper === 'usable' && code !== 'openvpn/not-permitted') return helps('tryAgain', 'checkComputer')
      return helps('checkComputer', 'tryAgain')
    case 'checkComputer':
      return helps('checkComputer', 'tryAgain', 'copyForHelpDesk')
    case 'copyForHelpDesk':
      return helps('copyForHelpDesk', 'tryAgain', ...check)
  }
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
