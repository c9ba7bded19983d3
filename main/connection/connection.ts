import type {
  ConnectionState,
  ConnectionTarget,
  DisconnectedBy,
  ProfileChoice,
} from '../../contract/connection'
import { Emitter } from '../emitter'
import { CausewayError, hasCode, toErrorReport } from '../errors'
import type { Portal, RemoteStrategy, VpnProtocol, Wanted } from '../portal/portal'
import { type TunnelBackend, isFailure, mayStillBeUp } from '../tunnel/tunnel'
import { retryAfterMs } from '../platform/http/retrying-http'
import { captivePortal } from '../platform/network/captive-portal'
import { TimeLimit, AttemptTimer } from './attempts'
import { mayBeCaptivePortal, retryReason } from './failures'
import type { BlockedNetworks } from './blocked-networks'
import { HeldGrant } from './held-grant'
import { type InstanceAccess, prepare } from './prepare'
import { StateMachine } from './state-machine'
import type { Happening } from './transitions'
import type { SupervisorDependencies } from './supervision/supervised-tunnel'
import { Supervisor } from './supervisor'

export interface ConnectOptions {
  /** `handshake-only` makes no device and no routes and needs no privilege; default `full`. */
  readonly mode?: 'full' | 'handshake-only'
  readonly remoteStrategy?: RemoteStrategy
  readonly preferTcp?: boolean
  /** Use this protocol only, or the portal's choice (`auto`); default: the user's choice for the profile. */
  readonly protocol?: VpnProtocol | 'auto'
  /** Permission to open a browser when a login is needed; default `allowed`. */
  readonly login?: 'allowed' | 'never'
  /** The time limit for connecting in milliseconds, without the login; default 120 000. */
  readonly timeoutMs?: number
  /** Reconnect when the tunnel is lost; default the setting's. */
  readonly reconnect?: boolean
  /**
   * Retry temporary failures also before the first tunnel, if reconnecting is on; default false.
   */
  readonly patient?: boolean
}

export interface ConnectionDependencies extends Omit<SupervisorDependencies, 'backend'> {
  /**
   * Takes the tunnel lock that all processes share; returns a function that releases it. Throws `connection/held-by-other`.
   */
  claim(): Promise<TunnelClaim>
  accessTo(instanceId: string): Promise<InstanceAccess>
  readonly getBackend: () => Promise<TunnelBackend>
  /** Reads the defaults for `ConnectOptions`. Throws `settings/managed` if the computer's policy forbids one of these options. */
  preferences(options: ConnectOptions): Promise<Preferences>
  /** Called for every tunnel that comes up, but not in handshake-only mode. */
  readonly onTunnel: (target: ConnectionTarget) => void
  /** Returns what the user chose for a profile. */
  choiceFor(target: ConnectionTarget): Promise<Pick<ProfileChoice, 'protocol' | 'tcpOnly'> | undefined>
  /** Remembers networks that block UDP. */
  readonly blockedNetworks: BlockedNetworks
  /** Called when a connection has moved to TCP, because the network seems to block UDP. */
  readonly onMovedToTcp: () => void
  /** Called with the errors of listeners. */
  readonly onDefect: (error: unknown) => void
}

/** The one tunnel, while this process has it. */
interface TunnelClaim {
  /** Called when tunnel and attempts have ended: lifts the kill switch, if the user has disconnected. */
  unblock(): Promise<void>
  /** Allows other processes to connect. */
  release(): Promise<void>
}

interface Preferences {
  readonly remoteStrategy: RemoteStrategy
  readonly preferTcp: boolean
  readonly reconnect: boolean
}

const defaultTimeoutMs = 120_000

interface Attempt {
  readonly abort: AbortController
  /** Settles when all requests and processes of the attempt have ended. */
  finished: Promise<void>
  /** A tunnel was up. */
  wasConnected: boolean
  /** Access to the instance, once it is found. */
  access?: InstanceAccess
  /** Set once the grant is there. */
  supervisor?: Supervisor
  /** Times the retries before the first tunnel. */
  readonly timer: AttemptTimer
  /** The portals that were asked for a grant: a retry may open another one. */
  readonly portals: Set<Portal>
  /** Ends what was got ready for a tunnel that hasn't come. */
  standDown: () => Promise<void>
}

/**
 * Connects and disconnects the one tunnel of this process (contract/connection.ts). Errors of any step are thrown by
 * `connect` and held by the state `failed`.
 */
export class Connection {
  readonly #machine: StateMachine
  #attempt: Attempt | undefined
  /** The portals of the last attempt if it failed. They may hold a configuration until the user ends or replaces it. */
  #left: { readonly instanceId: string; readonly portals: Iterable<Portal> } | undefined
  readonly #logLines: Emitter<string>
  readonly #dependencies: ConnectionDependencies

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies
    this.#machine = new StateMachine(dependencies.onDefect)
    this.#logLines = new Emitter(dependencies.onDefect)
  }

  get state(): ConnectionState {
    return this.#machine.state
  }

  /** Subscribes to changes of state; returns a function that unsubscribes. */
  onChange(listener: (state: ConnectionState) => void): () => void {
    return this.#machine.onChange(listener)
  }

  /** Subscribes to lines of the tunnel's log; returns a function that unsubscribes. */
  onLog(listener: (line: string) => void): () => void {
    return this.#logLines.on(listener)
  }

  /**
   * Checks that `connect` can succeed, as far as the portal can tell, before a tunnel is ended for it. Does nothing for
   * portals that don't need it, and if another network, or a login that may be asked for, is needed first. Throws what Portal.validate throws.
   */
  async validate(target: ConnectionTarget, options: ConnectOptions = {}): Promise<void> {
    const signal = AbortSignal.timeout(options.timeoutMs ?? defaultTimeoutMs)
    try {
      const portal = await (await this.#dependencies.accessTo(target.instanceId)).portal(signal)
      const wanted = await this.wantedFor(target, options)
      await portal.validate?.(target.profileId, wanted, signal)
    } catch (error) {
      // The way to this portal may lead past the tunnel that there is now.
      const mayLogIn = hasCode(error, 'oauth/login-required') && options.login !== 'never'
      if (!mayLogIn && !isOfNetwork(error)) throw error
    }
  }

  /**
   * Connects, after ending the current tunnel or attempt. Resolves with `connected`, or with `disconnected` if
   * disconnect() was called meanwhile; throws the error that made it fail. A tunnel that is up stays if `validate` throws.
   */
  async connect(
    target: ConnectionTarget,
    options: ConnectOptions = {},
  ): Promise<'connected' | 'disconnected'> {
    if (this.state.state === 'connected' || this.state.state === 'reconnecting')
      await this.validate(target, options)
    // A loop, because another caller may start an attempt while this one waits.
    while (this.#attempt !== undefined) {
      this.#machine.send({ event: 'connect', target })
      await this.#end(this.#attempt)
    }
    // The same instance replaces the configuration. Another one needn't wait for it to be withdrawn.
    if (this.#left !== undefined && this.#left.instanceId !== target.instanceId) void this.#giveBack()
    this.#left = undefined

    const abort = new AbortController()
    const attempt: Attempt = {
      abort,
      finished: Promise.resolve(),
      timer: new AttemptTimer(this.#dependencies, this.#machine),
      wasConnected: false,
      portals: new Set(),
      standDown: () => Promise.resolve(),
    }
    this.#attempt = attempt
    return new Promise((resolve, reject) => {
      const running = this.#run(target, options, attempt, () => {
        resolve('connected')
      })
      attempt.finished = running.then(
        () => {
          this.#ended({ event: 'stopped' })
          resolve('disconnected')
        },
        (error: unknown) => {
          if (abort.signal.aborted && !mayStillBeUp(error)) {
            this.#ended({ event: 'stopped' })
            resolve('disconnected')
          } else {
            if (!abort.signal.aborted)
              this.#left = { instanceId: target.instanceId, portals: attempt.portals }
            this.#ended({ event: 'failed', error: toErrorReport(error) })
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        },
      )
      // Only now, because a listener may call disconnect(), which waits for `finished`.
      this.#machine.send({ event: 'connect', target })
    })
  }

  /**
   * Ends the tunnel or the attempt, also at the portal after it has failed; resolves when nothing of it is left. `by`: the
   * other process that asked for it.
   */
  async disconnect(by?: DisconnectedBy): Promise<void> {
    this.#machine.send({ event: 'disconnect', by })
    await (this.#attempt === undefined ? this.#giveBack() : this.#end(this.#attempt))
  }

  /** Starts the tunnel again, or while reconnecting makes the next attempt now. Does nothing before the first tunnel. */
  reconnect(): void {
    this.#again('reconnect')
  }

  /** Makes the next attempt now while reconnecting, without waiting for its outcome. */
  retryNow(): void {
    this.#again('retry')
  }

  #again(event: 'reconnect' | 'retry'): void {
    const { supervisor, timer } = this.#attempt ?? {}
    if (supervisor === undefined) this.#machine.send({ event, routes: 'gone' })
    else supervisor.again(event)
    timer?.endWait()
  }

  /**
   * Returns what connecting asks the portal for: the wishes of this call, else those for the profile, else the settings; and TCP
   * first on a network that blocks UDP.
   */
  async wantedFor(
    target: ConnectionTarget,
    options: ConnectOptions = {},
    network = this.#dependencies.blockedNetworks.current(),
  ): Promise<Wanted> {
    const preferences = await this.#dependencies.preferences(options)
    const choice = await this.#dependencies.choiceFor(target)
    const protocol = options.protocol ?? choice?.protocol ?? 'auto'
    return {
      remoteStrategy: options.remoteStrategy ?? preferences.remoteStrategy,
      preferTcp: options.preferTcp ?? (choice?.tcpOnly === true || preferences.preferTcp),
      protocol: protocol === 'auto' ? undefined : protocol,
      handshakeOnly: options.mode === 'handshake-only',
      tcpFirst: await this.#dependencies.blockedNetworks.has(await network),
    }
  }

  async #giveBack(): Promise<void> {
    const { portals = [] } = this.#left ?? {}
    this.#left = undefined
    await withdrawFrom(portals)
  }

  async #end(attempt: Attempt): Promise<void> {
    attempt.abort.abort()
    await attempt.finished
  }

  #ended(event: Happening): void {
    this.#attempt = undefined
    this.#machine.send(event)
  }

  /** Runs the attempt while holding the tunnel lock, from the first request to the end of the tunnel. Throws unless it was stopped. */
  async #run(
    target: ConnectionTarget,
    options: ConnectOptions,
    attempt: Attempt,
    onConnected: () => void,
  ): Promise<void> {
    const { signal } = attempt.abort
    const claim = await this.#dependencies.claim()
    let stopWatching: (() => void) | undefined
    try {
      for (let retries = 1; ; retries += 1) {
        const limit = new TimeLimit(options.timeoutMs ?? defaultTimeoutMs, signal)
        try {
          try {
            const supervisor = await this.#prepare(target, options, attempt, limit, () => {
              attempt.wasConnected = true
              stopWatching?.()
              onConnected()
            })
            attempt.supervisor = supervisor
            await supervisor.run()
            return
          } finally {
            limit.pause()
            await attempt.standDown()
          }
        } catch (cause) {
          const error = await explain(cause, limit, target, attempt)
          // The user can sign in to a captive portal meanwhile.
          const reason = hasCode(error, 'network/captive-portal') ? 'captive-portal' : retryReason(error)
          if (
            attempt.wasConnected ||
            reason === undefined ||
            signal.aborted ||
            !(await this.#isPatient(options))
          )
            throw error
          stopWatching ??= this.#dependencies.network.watch((event) => attempt.timer.onNetwork(event))
          const atLeastMs = retryAfterMs(error)
          const next = { reason, attempt: retries, routes: 'gone', notYetConnected: true, atLeastMs } as const
          if (!(await attempt.timer.wait(next, signal))) throw error
          this.#machine.send({ event: 'discover' })
        }
      }
    } finally {
      stopWatching?.()
      try {
        await claim.unblock()
      } finally {
        try {
          // Only after the user's own disconnecting: a configuration outlives a lost tunnel.
          if (signal.aborted) await withdrawFrom(attempt.portals)
        } finally {
          await claim.release()
        }
      }
    }
  }

  /** Returns true to retry temporary failures before the first tunnel. */
  async #isPatient(options: ConnectOptions): Promise<boolean> {
    return (
      options.patient === true &&
      (options.reconnect ?? (await this.#dependencies.preferences(options)).reconnect)
    )
  }

  /** Does everything before the tunnel, and returns what runs it. */
  async #prepare(
    target: ConnectionTarget,
    options: ConnectOptions,
    attempt: Attempt,
    limit: TimeLimit,
    onConnected: () => void,
  ): Promise<Supervisor> {
    const { getBackend, blockedNetworks, now, onDefect, onMovedToTcp, onTunnel } = this.#dependencies
    const preferences = await this.#dependencies.preferences(options)
    const access = await this.#dependencies.accessTo(target.instanceId)
    attempt.access = access
    const network = await blockedNetworks.current()
    const wanted = await this.wantedFor(target, options, Promise.resolve(network))
    const how = { mode: options.mode ?? 'full', preferTcp: wanted.preferTcp }
    const onAsking = (protocol: VpnProtocol): void => {
      const ready = getBackend().then((backend) => backend.getReady(protocol, how.mode))
      // Without the backend, there will be no tunnel either.
      attempt.standDown = () =>
        ready.then(
          (end) => end(),
          () => undefined,
        )
    }
    const grant = await prepare(
      access,
      target.profileId,
      { ...wanted, onAsking },
      {
        login: options.login ?? 'allowed',
        signal: limit.signal,
        onStep: (event) => {
          // The login has its own time limit.
          if (event === 'login') limit.pause()
          else limit.resume()
          this.#machine.send({ event })
        },
        onPortal: (portal) => {
          attempt.portals.add(portal)
        },
      },
    )
    const backend = await getBackend()
    return new Supervisor(
      { ...this.#dependencies, backend },
      {
        ...how,
        instanceId: target.instanceId,
        grant: new HeldGrant({
          grant,
          instanceId: target.instanceId,
          signal: limit.signal,
          now,
          isOutdated: (held, current) => backend.isOutdated(held, current, how),
          onRenewing: () => {
            limit.resume()
            this.#machine.send({ event: 'prepare' })
          },
        }),
        reconnect: options.reconnect ?? preferences.reconnect,
        limit,
        machine: this.#machine,
        isBehindCaptivePortal: () => access.isBehindCaptivePortal(attempt.abort.signal),
        onConnected: () => {
          limit.pause()
          if (how.mode === 'full') onTunnel(target)
          onConnected()
        },
        onMovedToTcp: () => {
          void blockedNetworks.add(network).catch(onDefect)
          onMovedToTcp()
        },
        onLog: (line) => {
          this.#logLines.emit(line)
        },
      },
    )
  }
}

/** Returns the error that says most about a failed attempt. */
async function explain(
  cause: unknown,
  limit: TimeLimit,
  { instanceId }: ConnectionTarget,
  { access, abort }: Attempt,
): Promise<unknown> {
  const error = limit.exceeded ? stalled(cause, limit.seconds, instanceId) : cause
  if (mayBeCaptivePortal(error) && (await access?.isBehindCaptivePortal(abort.signal)))
    return captivePortal(error)
  // A wrong clock makes the certificate of a good server look expired or not valid yet.
  if (isFailure(error, 'unverified')) return (await access?.wrongClock(error, abort.signal)) ?? error
  return error
}

/** Returns the error for a request that the time limit has ended; a tunnel says itself what it was waiting for. */
function stalled(error: unknown, seconds: number, instanceId: string): unknown {
  if (!hasCode(error, 'http/cancelled', 'oauth/cancelled')) return error
  const host = error.details?.host
  return new CausewayError('http/timed-out', {
    details: { host: typeof host === 'string' ? host : instanceId, seconds },
  })
}

async function withdrawFrom(portals: Iterable<Portal>): Promise<void> {
  await Promise.all([...portals].map(async (portal) => portal.disconnect?.()))
}

function isOfNetwork(error: unknown): boolean {
  return error instanceof CausewayError && error.code.startsWith('http/')
}
