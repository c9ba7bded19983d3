import type { ConnectionState, ConnectionTarget, DisconnectedBy } from '../../contract/connection'
import { Emitter } from '../emitter'
import { CausewayError, toErrorReport } from '../errors'
import type { Grant, Portal, Wanted } from '../portal/portal'
import { mayStillBeUp } from '../tunnel/tunnel'
import { grantThroughTunnel, validateTarget } from './before-switch'
import {
  ConnectionAttempt,
  type AttemptDependencies,
  type GrantInHand,
  type TunnelClaim,
  endClaim,
  withdrawFrom,
} from './connection-attempt'
import { type ConnectOptions, wantedFor } from './connect-options'
import type { TunnelOwner } from './lock/tunnel-lock'
import { StateMachine } from './state-machine'
import type { StateOf } from './transitions'

export interface ConnectionDependencies extends AttemptDependencies {
  /** Takes the tunnel lock that all processes share for this connection. Throws `connection/held-by-other`. */
  claim(owner: TunnelOwner): Promise<TunnelClaim>
  /** Returns the setting `killSwitch`. */
  readonly killSwitch: () => Promise<boolean>
  /** Called with the errors of listeners. */
  readonly onDefect: (error: unknown) => void
}

/** The work of a connection, with the data that belong to it. */
type Work =
  | { readonly is: 'none' }
  /** `finished` settles when all requests and processes of the attempt have ended. */
  | { readonly is: 'attempt'; readonly attempt: ConnectionAttempt; readonly finished: Promise<void> }
  /**
   * The tunnel has ended for another one, to which the claim goes, so that the kill switch stays up. `portals` may hold its
   * configuration. `end` ends the claim instead, at its first call.
   */
  | {
      readonly is: 'handed-over'
      readonly claim: TunnelClaim
      readonly portals: Iterable<Portal>
      readonly end: () => Promise<void>
    }
  /** The last attempt has failed. Its portals may hold a configuration until the user ends or replaces it. */
  | { readonly is: 'left-at-portals'; readonly instanceId: string; readonly portals: Iterable<Portal> }

/**
 * Connects and disconnects the one tunnel of this process (contract/connection.ts). Errors of any step are thrown by
 * `connect` and held by the state `failed`.
 */
export class Connection {
  readonly #machine: StateMachine
  #work: Work = { is: 'none' }
  /**
   * What was asked for last: of several connections that wait for the end of another one, only the newest begins. Of a
   * connection with its portals, also those of connections to the same instance whose place it has taken.
   */
  #wanted: { readonly instanceId?: string; readonly portals?: Set<Portal> } = {}
  /** The `#wanted` of the connection that can take over the claim of the one that is being ended for it. */
  #heir: object | undefined
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

  /** Checks that `connect` can succeed, before another process's tunnel is ended for it, as `validateTarget` says. */
  validate(target: ConnectionTarget, options: ConnectOptions = {}): Promise<void> {
    return validateTarget(this.#dependencies, target, options)
  }

  /** Returns what connecting asks the portal for. */
  wantedFor(target: ConnectionTarget, options: ConnectOptions = {}): Promise<Wanted> {
    return wantedFor(this.#dependencies, target, options)
  }

  /**
   * Connects, after ending the current tunnel or attempt. Resolves with `connected`, or with `disconnected` if
   * disconnect() was called meanwhile; throws the error that made it fail. A tunnel that is up stays if the portal refuses.
   */
  async connect(
    target: ConnectionTarget,
    options: ConnectOptions = {},
  ): Promise<'connected' | 'disconnected'> {
    const portals = new Set<Portal>()
    const wanted = (this.#wanted = { instanceId: target.instanceId, portals })
    const { state } = this
    let grant: Grant | undefined
    try {
      if (state.state === 'connected' || state.state === 'reconnecting')
        grant = await this.#beforeSwitch(state, target, options, (portal) => portals.add(portal))
    } catch (error) {
      if (this.#wanted === wanted) {
        this.#wanted = {}
        void withdrawFrom(portals)
        throw error
      }
      // Another request has taken its place, so that it doesn't matter any more.
    }
    if (this.#wanted === wanted) {
      await this.#endCurrent(target, grant && wanted)
      if (this.#wanted === wanted) return this.#begin(target, options, { grant, portals })
    }
    // A portal withdraws what it granted for the newest connection, too.
    if (this.#wanted.instanceId === target.instanceId)
      for (const portal of portals) this.#wanted.portals?.add(portal)
    else void withdrawFrom(portals)
    return 'disconnected'
  }

  /** Asks the portal what can be asked while there is a tunnel. Throws what Portal.connect throws. */
  async #beforeSwitch(
    from: StateOf<'connected' | 'reconnecting'>,
    target: ConnectionTarget,
    options: ConnectOptions,
    onPortal: (portal: Portal) => void,
  ): Promise<Grant | undefined> {
    const isPassing = from.state === 'connected' && from.passing !== false
    if (isPassing && (await this.#dependencies.killSwitch()))
      return grantThroughTunnel(this.#dependencies, from.target, target, options, onPortal)
    await this.validate(target, options)
    return undefined
  }

  /** Ends the current tunnel or attempt for another one. `heir`: see `#heir`. */
  async #endCurrent(target: ConnectionTarget, heir: object | undefined): Promise<void> {
    const current = this.#work
    if (current.is !== 'attempt' && current.is !== 'handed-over') return
    this.#heir = heir
    this.#machine.send({ event: 'connect', target })
    await (current.is === 'attempt' ? endAttempt(current) : current.end())
    if (this.#work === current) this.#work = { is: 'none' }
  }

  /** Begins an attempt after what there was. */
  #begin(
    target: ConnectionTarget,
    options: ConnectOptions,
    inHand: GrantInHand,
  ): Promise<'connected' | 'disconnected'> {
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
        inHand,
        target,
        options,
        earlier,
        others: previous.is === 'handed-over' ? previous.portals : [],
        onLog: (line) => {
          this.#logLines.emit(line)
        },
        onConnected: () => {
          resolve('connected')
        },
      })
      const claim =
        previous.is === 'handed-over' ? Promise.resolve(previous.claim) : this.#dependencies.claim(this)
      const finished = this.#finish(attempt, claim, target).then(() => {
        resolve('disconnected')
      }, reject)
      this.#work = { is: 'attempt', attempt, finished }
      // Only now, because a listener may call disconnect(), which waits for `finished`.
      this.#machine.send({ event: this.state.state === 'disconnecting' ? 'begin' : 'connect', target })
    })
  }

  /** Runs an attempt to its end, and shows how it ended. Throws unless it was stopped. */
  async #finish(
    attempt: ConnectionAttempt,
    claim: Promise<TunnelClaim>,
    { instanceId }: ConnectionTarget,
  ): Promise<void> {
    let next: Work = { is: 'none' }
    try {
      next = await this.#run(attempt, await claim)
      if (next.is === 'handed-over' && this.#heir !== this.#wanted) {
        await next.end()
        next = { is: 'none' }
      }
    } catch (error) {
      if (!attempt.isStopped || mayStillBeUp(error)) {
        const { portals } = attempt
        this.#work = attempt.isStopped ? { is: 'none' } : { is: 'left-at-portals', instanceId, portals }
        this.#machine.send({ event: 'failed', error: toErrorReport(error) })
        throw error instanceof Error ? error : new Error(String(error))
      }
      this.#reportStopped(error)
    }
    this.#work = next
    this.#machine.send({ event: 'stopped' })
  }

  /** Runs an attempt, and ends its claim unless another connection can take it over. Throws what the attempt throws. */
  async #run(attempt: ConnectionAttempt, claim: TunnelClaim): Promise<Work> {
    const failure = await attempt.run().then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    const { isStopped } = attempt
    const others = attempt.takeOthers()
    const portals = [...attempt.portals, ...others]
    if (isStopped && !mayStillBeUp(failure?.error) && this.#heir === this.#wanted) {
      this.#reportStopped(failure?.error)
      let ended: Promise<void> | undefined
      const end = () => (ended ??= endClaim(claim, portals).catch(this.#dependencies.onDefect))
      return { is: 'handed-over', claim, portals, end }
    }
    // A portal that can't be reached now is told later.
    if (!isStopped) void withdrawFrom(others)
    // Only after the user's own disconnecting: a configuration outlives a lost tunnel.
    await endClaim(claim, isStopped ? portals : [])
    if (failure !== undefined) throw failure.error
    return { is: 'none' }
  }

  /** Requests and waits that were stopped reject with a CausewayError or an abort. Anything else is a defect. */
  #reportStopped(error: unknown): void {
    if (error !== undefined && !(error instanceof CausewayError || isAbort(error)))
      this.#dependencies.onDefect(error)
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
      case 'handed-over':
        await work.end()
        if (this.#work === work) this.#work = { is: 'none' }
        if (this.state.state === 'disconnecting') this.#machine.send({ event: 'stopped' })
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
  }
}

async function endAttempt({ attempt, finished }: Extract<Work, { readonly is: 'attempt' }>): Promise<void> {
  attempt.stop()
  await finished
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
