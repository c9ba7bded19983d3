import { CausewayError } from '../errors'
import type { NetworkEvent } from '../platform/network/network-events'
import { reasonAfterUp } from '../tunnel/after-up'
import type { Remote, Tunnel } from '../tunnel/tunnel'
import { AttemptTimer } from './attempts'
import { retryReason, sessionOver, tunnelTimedOut } from './failures'
import { attemptAfter } from './states/shared'
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
  | {
      readonly is: 'failed'
      readonly policy: Policy
      readonly avoid: readonly Remote[]
      readonly error: CausewayError
    }
  | { readonly is: 'waiting'; readonly policy: Policy; readonly wait: Wait }
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
    const { machine } = this.#supervision.tunnel
    const before = machine.state
    const run = this.#state.is === 'running' ? this.#state.run : undefined
    if (before.state === 'connected' && before.passing === false) run?.avoidServer()
    if (machine.send({ event, routes: run?.routes ?? 'gone' }).state !== 'reconnecting') return
    if (before.state !== 'connected' || !this.#recovers()) this.#interrupt()
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
    const { grant, instanceId, limit, machine } = this.#supervision.tunnel
    let skipped = avoid
    if (policy instanceof ReconnectPolicy) {
      if (await policy.refresh.beforeStart()) skipped = []
      // Another attempt can't succeed. A tunnel that is up stays.
      if (grant.isExpired()) return { is: 'failed', policy, avoid: skipped, error: sessionOver(instanceId) }
    }
    if (limit.exceeded) throw tunnelTimedOut(machine.state, grant.tunnel, limit.seconds)
    limit.signal.throwIfAborted()
    return { is: 'opening', run: new TunnelRun(this.#supervision, policy, skipped) }
  }

  async #open({ run }: StateOf<'opening'>): Promise<State> {
    const { dependencies, tunnel } = this.#supervision
    const { grant, mode, preferTcp } = tunnel
    const { avoid } = run
    const onEvent: TunnelRun['onEvent'] = (event) => {
      run.onEvent(event)
    }
    try {
      const program = await dependencies.backend.openTunnel(grant.tunnel, { mode, preferTcp, avoid, onEvent })
      return { is: 'running', run, program }
    } catch (error) {
      const isTemporary = (retryReason(error) ?? reasonAfterUp(error)) !== undefined
      if (!(run.policy instanceof ReconnectPolicy && isTemporary && error instanceof CausewayError))
        throw error
      return { is: 'failed', policy: run.policy, avoid, error }
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
        return { is: 'failed', policy, avoid, error: end.error }
    }
  }

  async #judge({ policy, avoid, error }: StateOf<'failed'>): Promise<State> {
    const verdict = await policy.judge(error)
    return verdict === 'start' ? { is: 'starting', policy, avoid } : { is: 'waiting', policy, wait: verdict }
  }

  async #wait({ policy, wait }: StateOf<'waiting'>): Promise<State> {
    const { timer, tunnel } = this.#supervision
    const { limit, machine } = tunnel
    const next: State = { is: 'starting', policy, avoid: [] }
    if (limit.over) return next
    const { reason, atLeastMs = 0, handshakeFailed = false } = wait
    const shown =
      policy instanceof ReconnectPolicy
        ? { attempt: attemptAfter(machine.state) }
        : { notYetConnected: true as const }
    if (policy instanceof ReconnectPolicy) policy.refresh.lost({ handshakeFailed })
    if (await timer.wait({ reason, routes: 'gone', atLeastMs, ...shown }, limit.signal))
      machine.send({ event: 'attempt' })
    return next
  }

  /** Begins the next attempt at once: ends the wait, or the tunnel that there is. */
  #interrupt(): void {
    this.#supervision.timer.endWait()
    if (this.#state.is === 'running') this.#state.run.interrupt()
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
    if (state.is === 'running')
      tunnel.machine.send({ event: 'network', change: event, routes: state.run.routes })
    if (event === 'down') {
      program?.pause?.()
      return
    }
    const policy = policyOf(state)
    if (policy instanceof ReconnectPolicy) policy.refresh.inAnotherNetwork()
    if (!this.#recovers()) this.#interrupt()
  }
}

function policyOf(state: State): Policy {
  return 'run' in state ? state.run.policy : state.policy
}
