import type { RoutesLeft } from '../../../contract/connection'
import { CausewayError } from '../../errors'
import { attemptAfter } from '../states/shared'
import type { Remote, Tunnel, TunnelEnd, TunnelEvent } from '../../tunnel/tunnel'
import { sessionOver, tunnelTimedOut } from '../failures'
import type { FirstAttemptPolicy } from './first-attempt-policy'
import { ReconnectPolicy } from './reconnect-policy'
import type { Supervision } from './supervised-tunnel'

/** Why the program of a tunnel is being ended. */
type Ending =
  | { readonly because: 'none' }
  /** For the next attempt, which begins at once. */
  | { readonly because: 'interrupted' }
  | { readonly because: 'lost'; readonly error: CausewayError }

type EventOf<Name extends TunnelEvent['event']> = Extract<TunnelEvent, { readonly event: Name }>

/** The least uptime of a tunnel that resets the back-off. */
const stableAfterMs = 30_000

/** One run of a tunnel's program, from before its start to its end. */
export class TunnelRun {
  readonly #supervision: Supervision
  #policy: FirstAttemptPolicy | ReconnectPolicy
  /** The servers that the next run skips. */
  #avoid: readonly Remote[]
  /** The server of the last attempt. */
  #remote: Remote | undefined
  /** Since when the tunnel was up, in milliseconds since the epoch. */
  #upSince: number | 'never' = 'never'
  #routes: RoutesLeft = 'gone'
  #ending: Ending = { because: 'none' }
  #isPassing = true
  #isAskedAgain = false
  /** The number of the attempt after this run; known once it has ended. */
  #nextAttempt: number | undefined
  readonly #stop = new AbortController()

  constructor(
    supervision: Supervision,
    policy: FirstAttemptPolicy | ReconnectPolicy,
    avoid: readonly Remote[],
  ) {
    this.#supervision = supervision
    this.#policy = policy
    this.#avoid = avoid
  }

  /** Judges how the run ends: another one once it was up. */
  get policy(): FirstAttemptPolicy | ReconnectPolicy {
    return this.#policy
  }

  get avoid(): readonly Remote[] {
    return this.#avoid
  }

  /** Whether the routes of the tunnel stand. */
  get routes(): RoutesLeft {
    return this.#routes
  }

  get wasUp(): boolean {
    return this.#upSince !== 'never'
  }

  /** Whether the user has asked for the next attempt. */
  get isAskedAgain(): boolean {
    return this.#isAskedAgain
  }

  /** The servers to skip after a wait: only one through which nothing passed. */
  get avoidAfterWait(): readonly Remote[] {
    return this.#isPassing ? [] : this.#avoid
  }

  /** The number of the attempt that follows. */
  get nextAttempt(): number {
    return this.#nextAttempt ?? attemptAfter(this.#supervision.tunnel.machine.state)
  }

  /** The user asks for the next attempt. It tries another server first if nothing passes through this one. */
  again(): void {
    this.#isAskedAgain = true
    if (!this.#isPassing && this.#remote !== undefined) this.#avoid = [this.#remote]
  }

  /** Ends the program, so that the next attempt begins. */
  interrupt(): void {
    this.#endFor({ because: 'interrupted' })
  }

  /** Follows the program to its end. */
  async follow(program: Tunnel): Promise<TunnelEnd | { readonly end: 'interrupted' }> {
    const { tunnel, timer } = this.#supervision
    const { limit, machine } = tunnel
    const stop = (): void => {
      void program.stop()
    }
    for (const { signal } of [limit, this.#stop]) {
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }
    const end = await program.ended
    limit.signal.removeEventListener('abort', stop)
    const outcome = this.#outcomeOf(end)
    this.#routes = 'gone'
    this.#nextAttempt = attemptAfter(machine.state)
    const policy = this.#policy
    const isLost = outcome.end === 'failed' && policy instanceof ReconnectPolicy
    machine.send({ event: 'ended', reason: isLost ? policy.reasonFor(outcome.error) : undefined })
    // Back-off also applies to a server that accepts the tunnel and then drops it.
    if (this.#upSince !== 'never' && this.#now() - this.#upSince >= stableAfterMs) timer.reset()
    return outcome
  }

  #outcomeOf(end: TunnelEnd): TunnelEnd | { readonly end: 'interrupted' } {
    const { grant, limit, machine } = this.#supervision.tunnel
    if (limit.exceeded)
      return { end: 'failed', error: tunnelTimedOut(machine.state, grant.tunnel, limit.seconds) }
    if (end.end === 'failed' || limit.over) return end
    switch (this.#ending.because) {
      case 'none':
        return end
      case 'interrupted':
        return { end: 'interrupted' }
      case 'lost':
        return { end: 'failed', error: this.#ending.error }
    }
  }

  onEvent(event: TunnelEvent): void {
    const { machine, limit, onLog } = this.#supervision.tunnel
    if (event.event === 'log') {
      onLog(event.line)
      return
    }
    if (limit.over || this.#ending.because !== 'none') return
    switch (event.event) {
      case 'refused':
        this.#avoid = [...this.#avoid, event.remote]
        this.interrupt()
        return
      case 'stuck':
        // Without a network nothing can be reached without the tunnel either, and its routes keep traffic from leaving outside it.
        if (this.#supervision.timer.networkDown) return
        this.#avoid = event.tried
        this.interrupt()
        return
      case 'restarting':
        this.#onRestarting(event)
        return
      case 'connected':
        this.#onConnected(event)
        return
      case 'routes':
        machine.send(event)
        this.#routes = event.routes
        return
      case 'phase':
        if (event.remote !== undefined) {
          const { host, port, protocol } = event.remote
          this.#remote = { host, port, protocol }
        }
        machine.send(event)
        return
      case 'passing':
        this.#isPassing = event.passing
        machine.send(event)
        return
      case 'handshake':
      case 'apps':
        machine.send(event)
    }
  }

  #onRestarting(event: EventOf<'restarting'>): void {
    const { timer, tunnel } = this.#supervision
    const { grant, target, machine, reconnect } = tunnel
    const policy = this.#policy
    if (!reconnect) {
      const { reason } = event
      this.#endFor({ because: 'lost', error: new CausewayError('connection/lost', { details: { reason } }) })
      return
    }
    const isOver = policy instanceof ReconnectPolicy && grant.isExpired()
    // A tunnel keeps retrying without a network, which changes nothing.
    if (timer.networkDown && !isOver) return
    machine.send(event)
    this.#routes = event.routes
    if (isOver) {
      // The tunnel would retry with the expired credentials for ever.
      this.#endFor({ because: 'lost', error: sessionOver(target.instanceId) })
      return
    }
    if (!(policy instanceof ReconnectPolicy)) return
    const next = policy.refresh.restarting(event)
    if (next === 'needs-end') this.interrupt()
    else if (next === 'asks') this.#avoid = []
  }

  #onConnected(event: EventOf<'connected'>): void {
    const { timer, tunnel } = this.#supervision
    const { grant, machine, onConnected, onMovedToTcp } = tunnel
    machine.send({ ...event, protocol: grant.tunnel.protocol, since: this.#now() })
    this.#routes = event.details.routes === undefined ? 'gone' : 'kept'
    this.#upSince = this.#now()
    this.#avoid = []
    this.#isPassing = true
    this.#isAskedAgain = false
    if (this.#policy.movesToTcp) onMovedToTcp()
    timer.networkIsUp()
    this.#policy = this.#policy.up()
    grant.connected()
    onConnected()
  }

  #endFor(ending: Ending): void {
    if (this.#ending.because === 'none') this.#ending = ending
    this.#stop.abort()
  }

  #now(): number {
    return this.#supervision.dependencies.now().getTime()
  }
}
