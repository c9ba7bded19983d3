import type { ConnectionState, ConnectionTarget, DisconnectedBy } from '../../contract/connection'
import { Emitter } from '../emitter'
import { CausewayError, hasCode, toErrorReport } from '../errors'
import type { Portal, Wanted } from '../portal/portal'
import { mayStillBeUp } from '../tunnel/tunnel'
import {
  ConnectionAttempt,
  type AttemptDependencies,
  type TunnelClaim,
  withdrawFrom,
} from './connection-attempt'
import { type ConnectOptions, defaultTimeoutMs, wantedFor } from './connect-options'
import type { TunnelOwner } from './lock/tunnel-lock'
import { StateMachine } from './state-machine'

export interface ConnectionDependencies extends AttemptDependencies {
  /** Takes the tunnel lock that all processes share for this connection. Throws `connection/held-by-other`. */
  claim(owner: TunnelOwner): Promise<TunnelClaim>
  /** Called with the errors of listeners. */
  readonly onDefect: (error: unknown) => void
}

/** The work of a connection, with the data that belong to it. */
type Work =
  | { readonly is: 'none' }
  /** `finished` settles when all requests and processes of the attempt have ended. */
  | { readonly is: 'attempt'; readonly attempt: ConnectionAttempt; readonly finished: Promise<void> }
  /** The last attempt has failed. Its portals may hold a configuration until the user ends or replaces it. */
  | { readonly is: 'left-at-portals'; readonly instanceId: string; readonly portals: Iterable<Portal> }

/**
 * Connects and disconnects the one tunnel of this process (contract/connection.ts). Errors of any step are thrown by
 * `connect` and held by the state `failed`.
 */
export class Connection {
  readonly #machine: StateMachine
  #work: Work = { is: 'none' }
  /** What was asked for last: of several connections that wait for the end of another one, only the newest begins. */
  #wanted: object = {}
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

  /** Returns what connecting asks the portal for. */
  wantedFor(target: ConnectionTarget, options: ConnectOptions = {}): Promise<Wanted> {
    return wantedFor(this.#dependencies, target, options)
  }

  /**
   * Connects, after ending the current tunnel or attempt. Resolves with `connected`, or with `disconnected` if
   * disconnect() was called meanwhile; throws the error that made it fail. A tunnel that is up stays if `validate` throws.
   */
  async connect(
    target: ConnectionTarget,
    options: ConnectOptions = {},
  ): Promise<'connected' | 'disconnected'> {
    const wanted = (this.#wanted = {})
    if (this.state.state === 'connected' || this.state.state === 'reconnecting')
      await this.validate(target, options).catch((error: unknown) => {
        // Another request has taken its place, so that it doesn't matter any more.
        if (this.#wanted === wanted) throw error
      })
    if (this.#wanted !== wanted) return 'disconnected'
    if (this.#work.is === 'attempt') {
      this.#machine.send({ event: 'connect', target })
      await endAttempt(this.#work)
      if (this.#wanted !== wanted) return 'disconnected'
    }
    const previous = this.#work
    const isLeft = previous.is === 'left-at-portals'
    // The same instance replaces the configuration, if the attempt gets so far.
    const earlier = isLeft && previous.instanceId === target.instanceId ? previous.portals : []
    // Another one needn't wait for it to be withdrawn.
    if (isLeft && previous.instanceId !== target.instanceId) void withdrawFrom(previous.portals)

    return new Promise((resolve, reject) => {
      const attempt = new ConnectionAttempt({
        dependencies: this.#dependencies,
        machine: this.#machine,
        claim: () => this.#dependencies.claim(this),
        target,
        options,
        earlier,
        onLog: (line) => {
          this.#logLines.emit(line)
        },
        onConnected: () => {
          resolve('connected')
        },
      })
      const finished = this.#finish(attempt, target).then(() => {
        resolve('disconnected')
      }, reject)
      this.#work = { is: 'attempt', attempt, finished }
      // Only now, because a listener may call disconnect(), which waits for `finished`.
      this.#machine.send({ event: this.state.state === 'disconnecting' ? 'begin' : 'connect', target })
    })
  }

  /** Runs an attempt to its end, and shows how it ended. Throws unless it was stopped. */
  async #finish(attempt: ConnectionAttempt, { instanceId }: ConnectionTarget): Promise<void> {
    try {
      await attempt.run()
    } catch (error) {
      if (!attempt.isStopped || mayStillBeUp(error)) {
        const { portals } = attempt
        this.#work = attempt.isStopped ? { is: 'none' } : { is: 'left-at-portals', instanceId, portals }
        this.#machine.send({ event: 'failed', error: toErrorReport(error) })
        throw error instanceof Error ? error : new Error(String(error))
      }
      // Requests and waits that were stopped reject like this.
      if (!(error instanceof CausewayError || isAbort(error))) this.#dependencies.onDefect(error)
    }
    this.#work = { is: 'none' }
    this.#machine.send({ event: 'stopped' })
  }

  /**
   * Ends the tunnel or the attempt, also at the portal after it has failed; resolves when nothing of it is left. `by`: the
   * other process that asked for it.
   */
  async disconnect(by?: DisconnectedBy): Promise<void> {
    this.#wanted = {}
    this.#machine.send({ event: 'disconnect', by })
    const work = this.#work
    switch (work.is) {
      case 'none':
        // A connection that was to begin doesn't.
        if (this.state.state === 'disconnecting') this.#machine.send({ event: 'stopped' })
        return
      case 'attempt':
        await endAttempt(work)
        return
      case 'left-at-portals':
        this.#work = { is: 'none' }
        await withdrawFrom(work.portals)
    }
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
    if (this.#work.is === 'attempt') this.#work.attempt.again(event)
    else this.#machine.send({ event, routes: 'gone' })
  }
}

async function endAttempt({ attempt, finished }: Extract<Work, { readonly is: 'attempt' }>): Promise<void> {
  attempt.stop()
  await finished
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function isOfNetwork(error: unknown): boolean {
  return error instanceof CausewayError && error.code.startsWith('http/')
}
