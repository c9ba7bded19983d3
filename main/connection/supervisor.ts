import { CausewayError } from '../errors'
import type { NetworkEvent } from '../platform/network/network-events'
import { reasonAfterUp } from '../tunnel/after-up'
import type { Remote, Tunnel } from '../tunnel/tunnel'
import { AttemptTimer } from './attempts'
import { retryReason, sessionOver, tunnelTimedOut } from './failures'
import { FirstAttemptPolicy } from './supervision/first-attempt-policy'
import { ReconnectPolicy } from './supervision/reconnect-policy'
import type {
  SupervisedTunnel,
  Supervision,
  SupervisorDependencies,
  Wait,
} from './supervision/supervised-tunnel'
import { TunnelRun } from './supervision/tunnel-run'

type Policy = FirstAttemptPolicy | ReconnectPolicy

/** A state of a supervised tunnel, with the data that belong to it. Its work leads to the next one. */
type State =
  /** The grant is checked, and refreshed if it may be out of date. `avoid`: servers to skip. */
  | { readonly is: 'starting'; readonly policy: Policy; readonly avoid: readonly Remote[] }
  /** The program is being started. */
  | { readonly is: 'opening'; readonly run: TunnelRun }
  /** The program runs, whether the tunnel is up or not. */
  | { readonly is: 'running'; readonly run: TunnelRun; readonly program: Tunnel }
  /** Nothing runs: the portal may be asked what the failure means. */
  | { readonly is: 'failed'; readonly run: TunnelRun; readonly error: CausewayError }
  | { readonly is: 'waiting'; readonly run: TunnelRun; readonly wait: Wait }
  | { readonly is: 'stopped'; readonly policy: Policy }

type StateOf<Name extends State['is']> = Extract<State, { readonly is: Name }>

/**
 * Keeps a tunnel up: starts it, and restarts it when it fails, when the network changes, and after sleep. What a failure means
 * depends on whether a tunnel was up before (`FirstAttemptPolicy`, `ReconnectPolicy`).
 */
export class Supervisor {
  readonly #supervision: Supervision
  #state: State

  constructor(dependencies: SupervisorDependencies, tunnel: SupervisedTunnel) {
    this.#supervision = {
      dependencies,
      tunnel,
      timer: new AttemptTimer(dependencies, tunnel.machine),
      interrupt: () => {
        this.#interrupt()
      },
      onNetwork: (event) => {
        this.#onNetwork(event)
      },
    }
    this.#state = { is: 'starting', policy: new FirstAttemptPolicy(this.#supervision), avoid: [] }
  }

  /** Runs until the tunnel is stopped and cleaned up; throws the final error. */
  async run(): Promise<void> {
    try {
      while (this.#state.is !== 'stopped') this.#state = await this.#next(this.#state)
    } catch (error) {
      const policy = policyOf(this.#state)
      // The refusal says more than the time-out.
      throw this.#supervision.tunnel.limit.exceeded && policy instanceof FirstAttemptPolicy
        ? (policy.refusal ?? error)
        : error
    } finally {
      await policyOf(this.#state).end()
    }
  }

  /**
   * Starts the tunnel again, with the same grant, because the user asks for it; while reconnecting, makes the next attempt
   * now. Tries another server if no traffic passes through this one.
   */
  again(event: 'reconnect' | 'retry'): void {
    const { timer, tunnel } = this.#supervision
    const state = this.#state
    const wasConnected = tunnel.machine.state.state === 'connected'
    const routes = 'run' in state ? state.run.routes : 'gone'
    if (tunnel.machine.send({ event, routes }).state !== 'reconnecting') return
    switch (state.is) {
      case 'running':
        state.run.again()
        if (!wasConnected || !this.#recovers()) this.#interrupt()
        return
      case 'failed':
      case 'waiting':
        state.run.again()
        timer.endWait()
        return
      // The next attempt is beginning.
      case 'starting':
      case 'opening':
      case 'stopped':
    }
  }

  /** Does the work of a state, and returns the next one. Throws a final error. */
  #next(state: Exclude<State, StateOf<'stopped'>>): Promise<State> {
    switch (state.is) {
      case 'starting':
        return this.#start(state)
      case 'opening':
        return this.#open(state)
      case 'running':
        return this.#follow(state)
      case 'failed':
        return this.#judge(state)
      case 'waiting':
        return this.#wait(state)
    }
  }

  async #start({ policy, avoid }: StateOf<'starting'>): Promise<State> {
    const { grant, target, limit, machine } = this.#supervision.tunnel
    const isRefreshed = policy instanceof ReconnectPolicy && (await policy.refresh.beforeStart())
    const run = new TunnelRun(this.#supervision, policy, isRefreshed ? [] : avoid)
    // Another attempt can't succeed. A tunnel that is up stays.
    if (policy instanceof ReconnectPolicy && grant.isExpired())
      return { is: 'failed', run, error: sessionOver(target.instanceId) }
    if (limit.exceeded) throw tunnelTimedOut(machine.state, grant.tunnel, limit.seconds)
    limit.signal.throwIfAborted()
    return { is: 'opening', run }
  }

  async #open({ run }: StateOf<'opening'>): Promise<State> {
    const { dependencies, tunnel } = this.#supervision
    const { grant, target, mode, preferTcp } = tunnel
    const { avoid } = run
    const onEvent: TunnelRun['onEvent'] = (event) => {
      run.onEvent(event)
    }
    try {
      const program = await dependencies.backend.openTunnel(grant.tunnel, {
        target,
        mode,
        preferTcp,
        avoid,
        signal: tunnel.limit.signal,
        onEvent,
      })
      return { is: 'running', run, program }
    } catch (error) {
      const isTemporary = (retryReason(error) ?? reasonAfterUp(error)) !== undefined
      if (!(run.policy instanceof ReconnectPolicy && isTemporary && error instanceof CausewayError))
        throw error
      return { is: 'failed', run, error }
    }
  }

  async #follow({ run, program }: StateOf<'running'>): Promise<State> {
    const end = await run.follow(program)
    const { policy, avoid } = run
    switch (end.end) {
      case 'stopped':
        return { is: 'stopped', policy }
      case 'interrupted':
        return { is: 'starting', policy, avoid }
      case 'failed':
        return { is: 'failed', run, error: end.error }
    }
  }

  async #judge({ run, error }: StateOf<'failed'>): Promise<State> {
    const { policy } = run
    const verdict = await policy.judge(error)
    return verdict === 'start'
      ? { is: 'starting', policy, avoid: run.avoid }
      : { is: 'waiting', run, wait: verdict }
  }

  async #wait({ run, wait }: StateOf<'waiting'>): Promise<State> {
    const { policy } = run
    const { reason, atLeastMs = 0, handshakeFailed = false } = wait
    if (policy instanceof ReconnectPolicy) policy.refresh.lost({ handshakeFailed })
    // The user may ask for the next attempt while the portal is asked.
    if (!run.isAskedAgain) await this.#waitFor(run, { reason, atLeastMs })
    return { is: 'starting', policy, avoid: run.isAskedAgain ? run.avoidAfterWait : [] }
  }

  async #waitFor(
    { policy, nextAttempt }: TunnelRun,
    wait: Required<Pick<Wait, 'reason' | 'atLeastMs'>>,
  ): Promise<void> {
    const { timer, tunnel } = this.#supervision
    const { limit, machine } = tunnel
    if (limit.over) return
    const shown =
      policy instanceof ReconnectPolicy ? { attempt: nextAttempt } : { notYetConnected: true as const }
    if (await timer.wait({ ...wait, routes: 'gone', ...shown }, limit.signal))
      machine.send({ event: 'attempt' })
  }

  /** Begins the next attempt at once: ends the wait, or the tunnel that there is. */
  #interrupt(): void {
    this.#supervision.timer.endWait()
    // A program that is being started runs for a moment, and then ends.
    if (this.#state.is === 'opening' || this.#state.is === 'running') this.#state.run.interrupt()
  }

  /** Lets a tunnel that is up find its server again by itself, if it can. */
  #recovers(): boolean {
    const state = this.#state
    if (state.is !== 'running' || !state.run.wasUp || state.program.recover === undefined) return false
    state.program.recover()
    return true
  }

  #onNetwork(event: NetworkEvent): void {
    const { timer, tunnel } = this.#supervision
    const state = this.#state
    const program = state.is === 'running' ? state.program : undefined
    if (event === 'routes') {
      program?.routesChanged?.()
      return
    }
    if (!tunnel.reconnect || tunnel.limit.over || !timer.onNetwork(event)) return
    if (state.is === 'opening' || state.is === 'running')
      tunnel.machine.send({ event: 'network', change: event, routes: state.run.routes })
    if (event === 'down') {
      program?.pause?.()
      return
    }
    const policy = policyOf(state)
    if (policy instanceof ReconnectPolicy) policy.inAnotherNetwork()
    if (!this.#recovers()) this.#interrupt()
  }
}

function policyOf(state: State): Policy {
  return 'run' in state ? state.run.policy : state.policy
}
