import type { TunnelDetails } from '../../../contract/connection'
import { isIP } from 'node:net'
import { type Carried, type ReconnectReason, reconnectReason } from '../../../contract/connection'
import { CausewayError } from '../../errors'
import type { Remote, TunnelEvent, TunnelOptions, TunnelPhase } from '../tunnel'
import type { LogFact } from './log-parser'
import { gatherPushReply, readPushedDns, readPushedOptions } from './push-reply'
import { isAmong } from './remotes'
import type { FailureKind, LogFailure } from './log-failures'
import { tunnelFailure } from './tunnel-failure'

interface Failure extends LogFailure {
  readonly reason: string
}

/** The state of one OpenVPN process; changed only by `advance`. */
interface TunnelProgress {
  readonly remotes: readonly Remote[]
  readonly mode: TunnelOptions['mode']
  readonly phase: TunnelPhase
  /** True once the tunnel was up. */
  readonly wasConnected: boolean
  /** True while the tunnel is up: until another contact. */
  readonly isUp: boolean
  /** Number of restarts, and addresses tried, since the start or since the tunnel was last up. */
  readonly restarts: number
  readonly tried: ReadonlySet<string>
  /** Number of attempts, since then, that looked like a rejected certificate. */
  readonly rejections: number
  /** The remote of the current attempt; undefined during the look-up of its name. */
  readonly remote: (Remote & { readonly address: string }) | undefined
  readonly serverVerified: boolean
  readonly authenticated: boolean
  readonly pushed: readonly string[]
  readonly pushComplete: boolean
  readonly cipher: string | undefined
  readonly device: string | undefined
  /** The most severe failure of the round, before OpenVPN ended or restarted. */
  readonly failure: Failure | undefined
}

/** An event of a tunnel, without what only the routes of this computer tell. */
export type ProgressEvent =
  | Extract<TunnelEvent, { event: 'phase' | 'refused' | 'log' }>
  | { readonly event: 'connected'; readonly details: Omit<TunnelDetails, keyof Carried> }
  | Omit<Extract<TunnelEvent, { event: 'restarting' }>, 'routes'>

interface Step {
  readonly progress: TunnelProgress
  readonly events: readonly ProgressEvent[]
  /** Set when the process should be stopped, with the reason. */
  readonly verdict?: CausewayError
}

/** Failures by severity, the most severe last: of the failures at several remotes, it says most about what to do. */
const severity: readonly FailureKind[] = [
  'name-not-resolved',
  'unreachable',
  'server-not-verified',
  'certificate-rejected',
  'authentication-failed',
  'halted-by-server',
  'stopped-unexpectedly',
  'configuration-refused',
  'device-unavailable',
  'not-permitted',
  'weak-certificate',
  'no-shared-cipher',
]

/** The reason for servers with only IPv4 addresses on a network with only IPv6. */
const noIpv4 = 'no-ipv4'

/** Failures after which OpenVPN may exit, with any exit code. */
const fatal: readonly FailureKind[] = severity.slice(severity.indexOf('authentication-failed'))

export function initialProgress(remotes: readonly Remote[], mode: TunnelOptions['mode']): TunnelProgress {
  return {
    remotes,
    mode,
    phase: 'starting',
    wasConnected: false,
    isUp: false,
    restarts: 0,
    tried: new Set(),
    rejections: 0,
    remote: undefined,
    serverVerified: false,
    authenticated: false,
    pushed: [],
    pushComplete: true,
    cipher: undefined,
    device: undefined,
    failure: undefined,
  }
}

/**
 * Processes one fact of the log (openvpn.md, "Rejected certificate or network?").
 *
 * Until the tunnel is up, one attempt that looks like a rejected certificate ends it, and so does a round in which every
 * remote failed. Afterwards OpenVPN may keep reconnecting; only a second attempt that looks like a rejected certificate
 * ends it, because one may be a connection that was lost at the wrong moment.
 */
export function advance(progress: TunnelProgress, fact: LogFact): Step {
  switch (fact.fact) {
    case 'ready':
      return inPhase(progress, firstIsName(progress.remotes) ? 'resolving' : progress.phase)
    case 'name-not-resolved':
      return attempt(failing(progress, 'name-not-resolved', fact.host), `name ${fact.host}`, 'resolving')
    case 'contacting':
      return contact(progress, fact)
    case 'tls-started':
      return inPhase(progress, 'verifying')
    case 'server-verified':
      return unchanged({ ...progress, serverVerified: true })
    case 'server-not-verified':
      return unchanged(failing(progress, 'server-not-verified', fact.reason))
    case 'tls-established':
      return inPhase(progress, 'authenticating')
    case 'authenticated':
      return inPhase({ ...progress, authenticated: true }, 'configuring')
    case 'certificate-alert':
      return rejected(progress, fact.reason)
    case 'connection-reset':
    case 'negotiation-timed-out':
      return progress.serverVerified && !progress.authenticated
        ? rejected(progress, fact.fact)
        : unchanged(failing(progress, 'unreachable', fact.fact))
    case 'refused':
      return refused(progress)
    case 'no-ipv4-route':
      return unchanged(failing(progress, 'unreachable', noIpv4))
    case 'push-reply': {
      const { options, complete } = gatherPushReply(
        progress.pushComplete ? [] : progress.pushed,
        fact.options,
      )
      return unchanged({ ...progress, pushed: options, pushComplete: complete })
    }
    case 'device-opened':
      return unchanged({ ...progress, device: fact.device })
    case 'connected':
      return connected(progress)
    case 'data-cipher':
      return unchanged({ ...progress, cipher: fact.cipher })
    case 'authentication-failed':
      return unchanged(failing(progress, 'authentication-failed', fact.reason))
    case 'halted':
      return unchanged(failing(progress, 'halted-by-server', fact.reason))
    case 'failed':
      // Later, it is about an option that the server pushed, which OpenVPN then leaves out.
      return fact.kind === 'configuration-refused' && progress.authenticated
        ? unchanged(progress)
        : unchanged(failing(progress, fact.kind, fact.reason, fact.variant))
    case 'option-refused':
      // OpenVPN would restart and ask the server again, for ever.
      return { progress, events: [], verdict: optionRefused(fact.option) }
    case 'route-refused':
      return unchanged(progress)
    case 'restarting':
      return restart(progress, fact.reason)
  }
}

/** Returns the error for an unexpected exit: the failure in the log, because the exit code says little. */
export function failureAtExit(
  { failure }: TunnelProgress,
  exit: { readonly exitCode?: number; readonly signal?: string },
): CausewayError {
  if (failure === undefined || !fatal.includes(failure.kind))
    return tunnelFailure('stopped-unexpectedly', exit)
  const { kind, reason, variant } = failure
  return tunnelFailure(kind, kind === 'stopped-unexpectedly' ? { reason, ...exit } : { reason }, variant)
}

/** Handles a refused port before any answer; later, waiting for the server on the same port is worthwhile. */
function refused(progress: TunnelProgress): Step {
  if (progress.wasConnected || progress.phase !== 'contacting' || progress.remote === undefined)
    return unchanged(progress)
  const { host, port, protocol } = progress.remote
  const refusing = { host, port, protocol }
  const next = failing(progress, 'unreachable', 'refused')
  // OpenVPN would wait 10 s nevertheless.
  return progress.remotes.every((remote) => isAmong(remote, [refusing]))
    ? { progress: next, events: [], verdict: tunnelFailure('unreachable', { reason: 'refused' }) }
    : { progress: next, events: [{ event: 'refused', remote: refusing }] }
}

function contact(
  progress: TunnelProgress,
  { address, port, protocol }: Extract<LogFact, { fact: 'contacting' }>,
): Step {
  const configured = progress.remotes.filter((remote) => remote.port === port && remote.protocol === protocol)
  const host = (configured.find((remote) => remote.host === address) ?? configured[0])?.host ?? address
  const next: TunnelProgress = {
    ...progress,
    remote: { host, port, protocol, address },
    isUp: false,
    serverVerified: false,
    authenticated: false,
    cipher: undefined,
  }
  return attempt(next, `${protocol} ${address} ${port}`, 'contacting')
}

/**
 * Counts an attempt. A name may have several addresses, which OpenVPN tries in turn: the first round is over when a target
 * is tried again, after as many attempts as remotes (two of which may have the same address).
 */
function attempt(progress: TunnelProgress, target: string, phase: TunnelPhase): Step {
  const again = progress.tried.has(target) && progress.restarts >= progress.remotes.length
  if (again && !progress.wasConnected) {
    const { kind, reason, variant }: Failure = progress.failure ?? { kind: 'unreachable', reason: '' }
    // A server with IPv6 failed as well.
    const isOther = reason === noIpv4 && [...progress.tried].some((tried) => tried.includes(':'))
    return { progress, events: [], verdict: tunnelFailure(kind, isOther ? {} : { reason }, variant) }
  }
  return inPhase({ ...progress, tried: new Set([...progress.tried, target]) }, phase)
}

function connected(progress: TunnelProgress): Step {
  const { ipv4, ipv6, cipher: pushedCipher } = readPushedOptions(progress.pushed)
  const cipher = progress.cipher ?? pushedCipher
  // Without a device no DNS server can be reached.
  const dns = progress.mode === 'full' ? readPushedDns(progress.pushed) : undefined
  const details: Omit<TunnelDetails, keyof Carried> = {
    addresses: { ipv4, ipv6 },
    remote: {
      address: progress.remote?.address ?? '',
      port: progress.remote?.port ?? 0,
      protocol: progress.remote?.protocol ?? 'udp',
    },
    cipher,
    device: progress.device,
    dns: dns && { ...dns, applied: false },
  }
  return {
    progress: {
      ...progress,
      wasConnected: true,
      isUp: true,
      restarts: 0,
      tried: new Set(),
      rejections: 0,
      failure: undefined,
    },
    events: [{ event: 'connected', details }],
  }
}

function rejected(progress: TunnelProgress, reason: string): Step {
  const next: TunnelProgress = {
    ...failing(progress, 'certificate-rejected', reason),
    // An alert is followed by a reset: count the attempt once.
    serverVerified: false,
    rejections: progress.rejections + 1,
  }
  return next.rejections > (progress.wasConnected ? 1 : 0)
    ? { progress: next, events: [], verdict: tunnelFailure('certificate-rejected', { reason }) }
    : unchanged(next)
}

function restart(progress: TunnelProgress, reason: string): Step {
  // Without a remote the name could not be resolved, which is known already. A server that accepts the
  // certificate and then stops responding refuses the client, as with AUTH_FAILED.
  const kind = progress.authenticated && !progress.isUp ? 'authentication-failed' : 'unreachable'
  const failed = progress.remote === undefined ? progress : failing(progress, kind, reason)
  return {
    progress: { ...failed, restarts: progress.restarts + 1, remote: undefined },
    events: progress.wasConnected ? [restartingFor(reconnectReason(reason))] : [],
  }
}

function optionRefused(reason: string): CausewayError {
  return new CausewayError('openvpn/option-refused', { details: { reason } })
}

function restartingFor(reason: ReconnectReason): ProgressEvent {
  return { event: 'restarting', reason, handshakeFailed: reason === 'tls-error' }
}

/** Keeps the most severe failure, and the first of equal ones. */
function failing(
  progress: TunnelProgress,
  kind: FailureKind,
  reason: string,
  variant?: LogFailure['variant'],
): TunnelProgress {
  const known = progress.failure
  return known !== undefined && severity.indexOf(known.kind) >= severity.indexOf(kind)
    ? progress
    : { ...progress, failure: { kind, reason, variant } }
}

function inPhase(progress: TunnelProgress, phase: TunnelPhase): Step {
  if (progress.phase === phase && phase !== 'contacting') {
    return unchanged(progress)
  }
  const { remote } = progress
  return {
    progress: { ...progress, phase },
    events: [{ event: 'phase', phase, remote }],
  }
}

function unchanged(progress: TunnelProgress): Step {
  return { progress, events: [] }
}

function firstIsName(remotes: readonly Remote[]): boolean {
  const [first] = remotes
  return first !== undefined && isIP(first.host) === 0
}
