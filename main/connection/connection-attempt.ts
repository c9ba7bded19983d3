import type { ConnectionTarget, ReconnectReason } from '../../contract/connection'
import { CausewayError, hasCode } from '../errors'
import { retryAfterMs } from '../platform/http/retrying-http'
import { captivePortal } from '../platform/network/captive-portal'
import type { Grant, Portal, VpnProtocol, Wanted } from '../portal/portal'
import { type TunnelBackend, type TunnelOptions, isFailure } from '../tunnel/tunnel'
import { AttemptTimer, TimeLimit } from './attempts'
import { isAnotherNetwork } from './blocked-networks'
import { type ConnectOptions, type WantedDependencies, defaultTimeoutMs, wantedFor } from './connect-options'
import { mayBeCaptivePortal, retryReason } from './failures'
import { HeldGrant } from './held-grant'
import { type InstanceAccess, prepare } from './prepare'
import type { StateMachine } from './state-machine'
import type { SupervisorDependencies } from './supervision/supervised-tunnel'
import { Supervisor } from './supervisor'

export interface AttemptDependencies extends Omit<SupervisorDependencies, 'backend'>, WantedDependencies {
  accessTo(instanceId: string): Promise<InstanceAccess>
  readonly getBackend: () => Promise<TunnelBackend>
  /** Called for every tunnel that comes up, but not in handshake-only mode. */
  readonly onTunnel: (target: ConnectionTarget) => void
  /** Called when a connection has moved to TCP, because the network seems to block UDP. */
  readonly onMovedToTcp: () => void
}

/** The one tunnel, while this process has it. */
export interface TunnelClaim {
  /** Called when tunnel and attempts have ended: lifts the kill switch, if the user has disconnected. */
  unblock(): Promise<void>
  /** Allows other processes to connect. */
  release(): Promise<void>
}

/** A grant from before the attempt, unless its answer was lost, and the portals that were asked for it. */
export interface GrantInHand {
  readonly grant: Grant | undefined
  readonly portals: Iterable<Portal>
}

export interface AttemptParts {
  readonly dependencies: AttemptDependencies
  readonly machine: StateMachine
  /** The first tunnel's grant, if there is one already. */
  readonly inHand: GrantInHand
  readonly target: ConnectionTarget
  readonly options: ConnectOptions
  /** The portals that may hold a configuration of an earlier attempt for the same instance. */
  readonly earlier: Iterable<Portal>
  /** Other portals that are to be told that their tunnel has ended, when the kill switch lets a request through. */
  readonly others: Iterable<Portal>
  readonly onLog: (line: string) => void
  /** Called for the first tunnel. */
  readonly onConnected: () => void
}

/** How far an attempt is. */
type Progress =
  | { readonly is: 'preparing' }
  /** There is a grant, and its tunnel is supervised. */
  | { readonly is: 'supervised'; readonly supervisor: Supervisor }

/** What one try for a tunnel has. */
interface Try {
  readonly limit: TimeLimit
  readonly access: InstanceAccess
  readonly reconnect: boolean
}

/** A grant, and what its tunnel needs besides. */
interface Granted {
  readonly grant: Grant
  readonly backend: TunnelBackend
  readonly how: TunnelOptions
}

/** The program of a tunnel that is got ready while the portal is asked. */
class ReadyProgram {
  readonly #getBackend: () => Promise<TunnelBackend>
  readonly #mode: TunnelOptions['mode']
  #end: () => Promise<void> = () => Promise.resolve()

  constructor(getBackend: () => Promise<TunnelBackend>, mode: TunnelOptions['mode']) {
    this.#getBackend = getBackend
    this.#mode = mode
  }

  begin(protocol: VpnProtocol): void {
    const ready = this.#getBackend().then((backend) => backend.getReady(protocol, this.#mode))
    // Without the backend, there will be no tunnel either.
    this.#end = () =>
      ready.then(
        (end) => end(),
        () => undefined,
      )
  }

  /** Ends it, unless a tunnel has taken it. */
  end(): Promise<void> {
    return this.#end()
  }
}

/** An attempt to connect, from the first request to the end of its tunnel. Needs the tunnel lock. */
export class ConnectionAttempt {
  readonly #parts: AttemptParts
  readonly #portals = new Set<Portal>()
  readonly #abort = new AbortController()
  /** Times the retries before the first tunnel. */
  readonly #timer: AttemptTimer
  #progress: Progress = { is: 'preparing' }
  #wasConnected = false
  /** True once it has waited for a sign-in to the network, which may be shaky for a while after it. */
  #hasWaitedForSignIn = false
  /** Taken by the first try. */
  #inHand: Grant | undefined
  #others: Iterable<Portal>

  constructor(parts: AttemptParts) {
    this.#parts = parts
    this.#others = parts.others
    this.#inHand = parts.inHand.grant
    for (const portal of parts.inHand.portals) this.#portals.add(portal)
    this.#timer = new AttemptTimer(parts.dependencies, parts.machine)
  }

  /** The portals that may hold a configuration: a new one replaces that of an earlier attempt, and a retry may open another. */
  get portals(): Iterable<Portal> {
    return this.#portals.size > 0 ? this.#portals : this.#parts.earlier
  }

  /** Returns the `others` that haven't been told yet, once. */
  takeOthers(): Iterable<Portal> {
    const others = this.#others
    this.#others = []
    return others
  }

  /** True once the user has ended it. */
  get isStopped(): boolean {
    return this.#abort.signal.aborted
  }

  stop(): void {
    this.#abort.abort()
  }

  /** Starts the tunnel again, or makes the next attempt now. */
  again(event: 'reconnect' | 'retry'): void {
    if (this.#progress.is === 'supervised') this.#progress.supervisor.again(event)
    this.#timer.endWait()
  }

  /** Tries until a tunnel was up. Resolves when all requests and processes have ended; throws unless it was stopped. */
  async run(): Promise<void> {
    const { dependencies, machine } = this.#parts
    let stopWatching: (() => void) | undefined
    const onConnected = (): void => {
      stopWatching?.()
      void withdrawFrom(this.takeOthers())
      this.#parts.onConnected()
    }
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await this.#try(onConnected)
          return
        } catch (error) {
          // The user can sign in to a captive portal meanwhile.
          const reason = hasCode(error, 'network/captive-portal') ? 'captive-portal' : retryReason(error)
          if (reason === undefined || !(await this.#mayRetry(reason))) throw error
          stopWatching ??= dependencies.network.watch((event) => this.#timer.onNetwork(event))
          const atLeastMs = retryAfterMs(error)
          const next = { reason, attempt, routes: 'gone', notYetConnected: true, atLeastMs } as const
          if (!(await this.#waitFor(next))) throw error
          machine.send({ event: 'discover' })
        }
      }
    } finally {
      stopWatching?.()
    }
  }

  /** Waits for the next attempt, which has no use before the person has signed in to the network. Returns false once stopped. */
  async #waitFor(next: Parameters<AttemptTimer['wait']>[0]): Promise<boolean> {
    const { dependencies, target } = this.#parts
    const { signal } = this.#abort
    while (await this.#timer.wait(next, signal)) {
      if (next.reason !== 'captive-portal') return true
      this.#hasWaitedForSignIn = true
      const access = await dependencies.accessTo(target.instanceId)
      if (!(await access.isBehindCaptivePortal(signal))) return true
    }
    return false
  }

  /** Returns true to retry temporary failures before the first tunnel. */
  async #mayRetry(reason: ReconnectReason): Promise<boolean> {
    const { dependencies, options } = this.#parts
    const isOfSignIn = reason === 'captive-portal' || this.#hasWaitedForSignIn
    const waits = options.patient === true || (options.waitsForNetworkSignIn === true && isOfSignIn)
    if (this.#wasConnected || this.isStopped || !waits) return false
    return options.reconnect ?? (await dependencies.preferences(options)).reconnect
  }

  /** Gets a grant and supervises its tunnel. Throws the error that says most about a failure. */
  async #try(onConnected: () => void): Promise<void> {
    const { dependencies, options, target } = this.#parts
    const { reconnect } = await dependencies.preferences(options)
    const access = await dependencies.accessTo(target.instanceId)
    const limit = new TimeLimit(options.timeoutMs ?? defaultTimeoutMs, this.#abort.signal)
    const parts = { limit, access, reconnect: options.reconnect ?? reconnect }
    await this.#superviseTunnel(parts, onConnected).catch(async (cause: unknown) => {
      throw await this.#explain(cause, parts)
    })
  }

  async #superviseTunnel(parts: Try, onConnected: () => void): Promise<void> {
    const { dependencies, options, target } = this.#parts
    const mode = options.mode ?? 'full'
    const ready = new ReadyProgram(dependencies.getBackend, mode)
    try {
      const wanted = await wantedFor(dependencies, target, options)
      const onAsking = (protocol: VpnProtocol): void => {
        ready.begin(protocol)
      }
      const grant = this.#takeInHand() ?? (await this.#prepare(parts, { ...wanted, onAsking }))
      const backend = await dependencies.getBackend()
      const granted = { grant, backend, how: { mode, preferTcp: wanted.preferTcp } }
      const supervisor = this.#supervisorOf(parts, granted, onConnected)
      this.#progress = { is: 'supervised', supervisor }
      await supervisor.run()
    } finally {
      parts.limit.pause()
      await ready.end()
      this.#progress = { is: 'preparing' }
    }
  }

  #takeInHand(): Grant | undefined {
    const grant = this.#inHand
    this.#inHand = undefined
    if (grant !== undefined) this.#parts.machine.send({ event: 'prepare' })
    return grant
  }

  #prepare({ access, limit }: Try, wanted: Wanted): Promise<Grant> {
    const { machine, options, target } = this.#parts
    return prepare(access, target.profileId, wanted, {
      login: options.login ?? 'allowed',
      signal: limit.signal,
      onStep: (event) => {
        // The login has its own time limit.
        if (event === 'login') limit.pause()
        else limit.resume()
        machine.send({ event })
      },
      onPortal: (portal) => {
        this.#portals.add(portal)
      },
    })
  }

  #supervisorOf(
    { access, limit, reconnect }: Try,
    { grant, backend, how }: Granted,
    onConnected: () => void,
  ): Supervisor {
    const { dependencies, machine, target, onLog } = this.#parts
    const { instanceId } = target
    const { blockedNetworks } = dependencies
    /** The network that seems to block UDP, while there is no tunnel. */
    let blocked: ReturnType<typeof blockedNetworks.current> | undefined
    /** The network in which a tunnel was last up. */
    let upIn: ReturnType<typeof blockedNetworks.current> | undefined
    const held = new HeldGrant({
      grant,
      instanceId,
      signal: limit.signal,
      now: dependencies.now,
      isOutdated: (old, current) => backend.isOutdated(old, current, how),
      onRenewing: () => {
        machine.send({ event: 'prepare' })
      },
      onMovingToTcp: () => {
        blocked = blockedNetworks.current()
      },
    })
    return new Supervisor(
      { ...dependencies, backend },
      {
        ...how,
        target,
        grant: held,
        reconnect,
        limit,
        machine,
        isBehindCaptivePortal: () => access.isBehindCaptivePortal(this.#abort.signal),
        isElsewhere: async () => isAnotherNetwork(await upIn, await blockedNetworks.current()),
        onConnected: () => {
          limit.pause()
          upIn = blockedNetworks.current()
          if (how.mode === 'full') dependencies.onTunnel(target)
          this.#wasConnected = true
          onConnected()
        },
        onMovedToTcp: () => {
          void Promise.resolve(blocked)
            .then((network) => blockedNetworks.add(network))
            .catch(dependencies.onDefect)
          dependencies.onMovedToTcp()
        },
        onLog,
      },
    )
  }

  /** Returns the error that says most about a failure. */
  async #explain(cause: unknown, { access, limit }: Try): Promise<unknown> {
    const { signal } = this.#abort
    const error = limit.exceeded ? stalled(cause, limit.seconds, this.#parts.target.instanceId) : cause
    if (mayBeCaptivePortal(error) && (await access.isBehindCaptivePortal(signal))) return captivePortal(error)
    // A wrong clock makes the certificate of a good server look expired or not valid yet.
    if (isFailure(error, 'unverified')) return (await access.wrongClock(error, signal)) ?? error
    return error
  }
}

/** Returns the error for a request that the time limit has ended; a tunnel says itself what it was waiting for. */
function stalled(error: unknown, seconds: number, instanceId: string): unknown {
  if (!hasCode(error, 'http/cancelled', 'oauth/cancelled')) return error
  const host = error.details?.host
  return new CausewayError('http/timed-out', {
    details: { host: typeof host === 'string' ? host : instanceId, seconds },
  })
}

/** Lifts the kill switch if the user has disconnected, tells the portals, and allows other processes to connect. */
export async function endClaim(claim: TunnelClaim, portals: Iterable<Portal>): Promise<void> {
  try {
    await claim.unblock()
  } finally {
    try {
      await withdrawFrom(portals)
    } finally {
      await claim.release()
    }
  }
}

/** Tells portals that their configurations aren't used any more. */
export async function withdrawFrom(portals: Iterable<Portal>): Promise<void> {
  await Promise.all([...portals].map(async (portal) => portal.disconnect?.()))
}
