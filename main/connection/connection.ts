import {
  type ConnectionState,
  type ConnectionTarget,
  type DisconnectedBy,
  isNotYetConnected,
} from '../../contract/connection'
import { Emitter } from '../emitter'
import { hasCode, toErrorReport } from '../errors'
import type { RemoteStrategy } from '../portal/portal'
import { type GrantedTunnel, type TunnelBackend, isFailure } from '../tunnel/tunnel'
import { captivePortal, mayBeCaptivePortal } from './captive-portal'
import { HeldGrant } from './held-grant'
import { type InstanceAccess, prepare } from './prepare'
import { RetryPolicy } from './retry-policy'
import { Supervisor, type SupervisorDependencies } from './supervisor'
import { TimeLimit } from './time-limit'

export interface ConnectOptions {
  /** `handshake-only` makes no device and no routes and needs no privilege; default `full`. */
  readonly mode?: 'full' | 'handshake-only'
  readonly remoteStrategy?: RemoteStrategy
  readonly preferTcp?: boolean
  /** Whether a browser may be opened when a login is needed; default `allowed`. */
  readonly login?: 'allowed' | 'never'
  /** How long it may take to be connected, in milliseconds, the time of a login left out; default 120 000. */
  readonly timeoutMs?: number
  /** Whether to build a tunnel anew that was up and is lost; default the setting's. */
  readonly reconnect?: boolean
  /**
   * Wait, as after a lost tunnel, also for what time may mend before the tunnel was up once, where reconnecting is on;
   * default: it fails.
   */
  readonly patient?: boolean
}

export interface ConnectionDependencies extends SupervisorDependencies {
  /**
   * Takes the one tunnel that all processes share; what comes out gives it back. Throws `connection/held-by-other`.
   */
  claim(): Promise<() => Promise<void>>
  accessTo(instanceId: string): Promise<InstanceAccess>
  readonly backend: TunnelBackend<GrantedTunnel>
  /** What applies where ConnectOptions say nothing. */
  preferences(): Promise<Preferences>
  /** Told of every tunnel that comes about: not after a handshake alone. */
  onTunnel(target: ConnectionTarget): void
  /** Told of listeners that throw. */
  readonly onDefect: (error: unknown) => void
}

interface Preferences {
  readonly remoteStrategy: RemoteStrategy
  readonly preferTcp: boolean
  readonly reconnect: boolean
}

type Ending = Omit<Extract<ConnectionState, { state: 'disconnecting' | 'disconnected' }>, 'state' | 'target'>

interface Attempt {
  readonly abort: AbortController
  /** Settles when nothing of the attempt is left: no request, no process. */
  finished: Promise<void>
  /** What is said of its end, once that is asked for. */
  ending: Ending
  /** Keeps the tunnel, once it is its turn. */
  supervisor: Supervisor | undefined
  /** Retries until it is. */
  retryPolicy: RetryPolicy | undefined
}

/**
 * The one tunnel of this process and the way to it and back (state.ts). Errors of any step are thrown by `connect`
 * and held by the state `failed`.
 */
export class Connection {
  #state: ConnectionState = { state: 'idle' }
  #attempt: Attempt | undefined
  readonly #changes: Emitter<ConnectionState>
  readonly #logLines: Emitter<string>
  readonly #dependencies: ConnectionDependencies

  constructor(dependencies: ConnectionDependencies) {
    this.#dependencies = dependencies
    this.#changes = new Emitter(dependencies.onDefect)
    this.#logLines = new Emitter(dependencies.onDefect)
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Calls back after every change of state; returns how to stop it. */
  onChange(listener: (state: ConnectionState) => void): () => void {
    return this.#changes.on(listener)
  }

  /** Calls back with every line of the tunnel's log; returns how to stop it. */
  onLog(listener: (line: string) => void): () => void {
    return this.#logLines.on(listener)
  }

  /**
   * Connects, after ending what is there. Resolves with `connected`, or `disconnected` when disconnect() was called
   * meanwhile; throws what made it fail.
   */
  async connect(
    target: ConnectionTarget,
    options: ConnectOptions = {},
  ): Promise<'connected' | 'disconnected'> {
    // A loop, because another caller may have begun an attempt while this one waited.
    while (this.#attempt !== undefined) await this.disconnect()

    const abort = new AbortController()
    const attempt: Attempt = {
      abort,
      finished: Promise.resolve(),
      ending: {},
      supervisor: undefined,
      retryPolicy: undefined,
    }
    this.#attempt = attempt
    return new Promise((resolve, reject) => {
      const walk = this.#claimAndWalk(target, options, attempt, () => {
        resolve('connected')
      })
      attempt.finished = walk.then(
        () => {
          this.#end({ state: 'disconnected', target, ...attempt.ending })
          resolve('disconnected')
        },
        (error: unknown) => {
          if (abort.signal.aborted) {
            this.#end({ state: 'disconnected', target, ...attempt.ending })
            resolve('disconnected')
          } else {
            this.#end({ state: 'failed', target, error: toErrorReport(error) })
            reject(error instanceof Error ? error : new Error(String(error)))
          }
        },
      )
      // Only now, because a listener may call disconnect(), which waits for `finished`.
      this.#become({ state: 'discovering', target })
    })
  }

  /** Ends the tunnel or the attempt; resolves when nothing of it is left. `by`: another process wants it. */
  async disconnect(by?: DisconnectedBy): Promise<void> {
    const attempt = this.#attempt
    if (attempt === undefined) return
    if ('target' in this.#state && !attempt.abort.signal.aborted) {
      attempt.ending = {
        ...(by === undefined ? {} : { by }),
        ...(isNotYetConnected(this.#state) ? { notYetConnected: true } : {}),
      }
      this.#become({ state: 'disconnecting', target: this.#state.target, ...attempt.ending })
    }
    attempt.abort.abort()
    await attempt.finished
  }

  /** While reconnecting: makes the next attempt now, and does not wait for it. */
  retryNow(): void {
    this.#attempt?.retryPolicy?.retryNow()
    this.#attempt?.supervisor?.retryNow()
  }

  #end(state: ConnectionState): void {
    this.#attempt = undefined
    this.#become(state)
  }

  #become(state: ConnectionState): void {
    if (state === this.#state) return
    this.#state = state
    this.#changes.emit(state)
  }

  /** The walk, while no other process has a tunnel. */
  async #claimAndWalk(
    target: ConnectionTarget,
    options: ConnectOptions,
    attempt: Attempt,
    onConnected: () => void,
  ): Promise<void> {
    const release = await this.#dependencies.claim()
    try {
      if (options.patient === true) await this.#walkPatiently(target, options, attempt, onConnected)
      else await this.#walk(target, options, attempt, onConnected)
    } finally {
      await release()
    }
  }

  /** The walk, again and again until it has led to a tunnel once. */
  async #walkPatiently(
    target: ConnectionTarget,
    options: ConnectOptions,
    attempt: Attempt,
    onConnected: () => void,
  ): Promise<void> {
    const { signal } = attempt.abort
    const reconnect = options.reconnect ?? (await this.#dependencies.preferences()).reconnect
    const retryPolicy = new RetryPolicy(this.#dependencies, target, (state) => {
      this.#become(state)
    })
    let isFinal = !reconnect
    attempt.retryPolicy = retryPolicy
    const onTunnel = (): void => {
      isFinal = true
      retryPolicy.dispose()
      onConnected()
    }
    try {
      for (;;) {
        try {
          await this.#walk(target, options, attempt, onTunnel)
          return
        } catch (error) {
          if (isFinal || !(await retryPolicy.waitAfter(error, signal))) throw error
          this.#become({ state: 'discovering', target })
        }
      }
    } finally {
      retryPolicy.dispose()
    }
  }

  /** From the first request to the end of the tunnel; `onConnected` in between. Throws unless it was stopped. */
  async #walk(
    target: ConnectionTarget,
    options: ConnectOptions,
    attempt: Attempt,
    onConnected: () => void,
  ): Promise<void> {
    const { signal } = attempt.abort
    const limit = new TimeLimit(options.timeoutMs ?? 120_000, signal)
    let access: InstanceAccess | undefined
    try {
      const { backend } = this.#dependencies
      const preferences = await this.#dependencies.preferences()
      const found = await this.#dependencies.accessTo(target.instanceId)
      access = found
      const how = { mode: options.mode ?? 'full', preferTcp: options.preferTcp ?? preferences.preferTcp }
      const { portal, grant } = await prepare(
        found,
        target.profileId,
        { remoteStrategy: options.remoteStrategy ?? preferences.remoteStrategy },
        { login: options.login ?? 'allowed', signal: limit.signal },
        (step) => {
          // A person at the browser takes the time a person takes; the login has its own limit.
          if (step === 'authorizing') limit.pause()
          else limit.resume()
          if (!signal.aborted) this.#become({ state: step, target })
        },
      )
      attempt.supervisor = new Supervisor(this.#dependencies, {
        ...how,
        target,
        grant: new HeldGrant({
          grant,
          instanceId: target.instanceId,
          signal: limit.signal,
          now: () => this.#dependencies.now(),
          isOutdated: (held, current) => backend.isOutdated(held, current, how),
          onRenewing: () => {
            limit.resume()
            this.#become({ state: 'preparing', target })
          },
        }),
        reconnect: options.reconnect ?? preferences.reconnect,
        limit,
        state: () => this.#state,
        become: (state) => {
          this.#become(state)
        },
        isBehindCaptivePortal: () => found.isBehindCaptivePortal(signal),
        onConnected: () => {
          limit.pause()
          if (how.mode === 'full') this.#dependencies.onTunnel(target)
          onConnected()
        },
        onLog: (line) => {
          this.#logLines.emit(line)
        },
      })
      await attempt.supervisor.run()
      await portal.disconnect?.()
    } catch (error) {
      const reason =
        limit.exceeded && hasCode(error, 'http/cancelled', 'oauth/cancelled') ? limit.error() : error
      if (mayBeCaptivePortal(reason) && (await access?.isBehindCaptivePortal(signal))) {
        throw captivePortal(reason)
      }
      // By a wrong clock the certificate of a good server is over, or not valid yet.
      if (isFailure(reason, 'unverified')) {
        throw (await access?.wrongClock(reason, signal)) ?? reason
      }
      throw reason
    } finally {
      limit.pause()
    }
  }
}
