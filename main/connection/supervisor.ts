import type { ConnectionState, ConnectionTarget, ReconnectReason } from '../../contract/connection'
import { CausewayError } from '../errors'
import type { NetworkEvent, NetworkEvents } from '../platform/network/network-events'
import { isDecision } from '../portal/portal'
import {
  type GrantedTunnel,
  type Remote,
  type TunnelBackend,
  type TunnelEnd,
  type TunnelEvent,
  type TunnelOptions,
  isFailure,
} from '../tunnel/tunnel'
import { AttemptTimer, type AttemptTimerDependencies } from './attempt-timer'
import { mayBeCaptivePortal } from './captive-portal'
import { Freshness } from './freshness'
import type { HeldGrant } from './held-grant'
import { retryReason } from './retry-policy'
import { sessionOver } from './session-over'
import type { TimeLimit } from './time-limit'
import { attemptAfter, stateAfterTunnelEvent } from './tunnel-state'

export interface SupervisorDependencies extends AttemptTimerDependencies {
  readonly backend: Pick<TunnelBackend<GrantedTunnel>, 'start'>
  /** Watched while there is a tunnel; without it only the tunnel itself tells that something is wrong. */
  readonly network: NetworkEvents
}

/** Parameters for a supervised tunnel. */
export interface SupervisedTunnel extends TunnelOptions {
  readonly target: ConnectionTarget
  readonly grant: Pick<HeldGrant, 'tunnel' | 'isOver' | 'connected' | 'renew' | 'check' | 'refresh'>
  /** Whether to build a tunnel anew that was up and is lost. */
  readonly reconnect: boolean
  /** Bounds the way to the first `connected`; its signal ends everything. */
  readonly limit: TimeLimit
  readonly state: () => ConnectionState
  readonly become: (state: ConnectionState) => void
  /** Whether the network wants a sign-in first; asked after failures that it would cause. */
  readonly isBehindCaptivePortal: () => Promise<boolean>
  readonly onConnected: () => void
  readonly onLog: (line: string) => void
}

/** After this time a tunnel has proven itself, and its loss is a new beginning. */
const settledMs = 30_000

/** Until the tunnel was up once, so many refusals after the handshake are waited out: about half a minute. */
const mostRefusals = 6

/**
 * Keeps a tunnel up: starts it, and starts it anew when it ends though it was connected, when the network below it is
 * another one, and when the computer was asleep. Until the tunnel was up once, every failure is final but a refusal after
 * the handshake, which a server that starts gives too: the portal is asked about the credentials, and where it accepts them
 * the refusal is waited out. Later, what time cannot mend is final.
 *
 * A grant that may be out of date is asked for anew, beside the tunnel at first, whose device and routes keep traffic from
 * going round it; without the tunnel where the portal was not reached that way.
 */
export class Supervisor {
  readonly #dependencies: SupervisorDependencies
  readonly #tunnel: SupervisedTunnel
  readonly #timer: AttemptTimer
  readonly #freshness = new Freshness()
  #wasConnected = false
  /** Refusals after the handshake in a row, and the last reason not to be let in. */
  #refusals = 0
  #refusal: CausewayError | undefined
  #refreshing: Promise<void> | undefined
  /** What the portal said meanwhile, which ends it. */
  #decision: { readonly error: unknown } | undefined
  /** In milliseconds since the epoch; of the tunnel whose end has not been seen to yet. */
  #connectedAt: number | undefined
  /** Servers where nobody listened, in this round. */
  #avoid: readonly Remote[] = []
  #interrupt: (() => void) | undefined
  #stopWatching: (() => void) | undefined

  constructor(dependencies: SupervisorDependencies, tunnel: SupervisedTunnel) {
    this.#dependencies = dependencies
    this.#tunnel = tunnel
    this.#timer = new AttemptTimer(dependencies)
  }

  /** Resolves when the tunnel was stopped, with nothing left of it; throws what made it fail. */
  async run(): Promise<void> {
    try {
      for (;;) {
        if (this.#decision !== undefined) throw this.#decision.error
        if (this.#isStale()) await this.#refreshBeforeStart()
        const end = this.#isUseless() ? this.#grantOver() : await this.#runTunnel()
        if (end.end === 'stopped') return
        if (end.end === 'failed') await this.#afterFailure(end.error)
      }
    } catch (error) {
      // The refusal tells more than that its time is up.
      throw this.#tunnel.limit.exceeded ? (this.#refusal ?? error) : error
    } finally {
      this.#stopWatching?.()
      await this.#refreshing
    }
  }

  /** Whether another attempt with the grant at hand is in vain. A tunnel that is up stays while its server lets it. */
  #isUseless(): boolean {
    return this.#wasConnected && this.#tunnel.grant.isOver()
  }

  #grantOver(): Extract<TunnelEnd, { end: 'failed' }> {
    return { end: 'failed', error: sessionOver(this.#tunnel.target.instanceId) }
  }

  /** Makes the next attempt now, where one is waited for or the tunnel itself is at one. */
  retryNow(): void {
    if (this.#tunnel.state().state !== 'reconnecting') return
    this.#timer.endWait()
    this.#interrupt?.()
  }

  async #runTunnel(): Promise<TunnelEnd | { readonly end: 'interrupted' }> {
    const { mode, preferTcp, grant, limit } = this.#tunnel
    limit.throwIfOver()
    const fate: { lost?: CausewayError; interrupted: boolean } = { interrupted: false }
    const tunnel = await this.#dependencies.backend.start(grant.tunnel, {
      mode,
      preferTcp,
      avoid: this.#avoid,
      onEvent: (event) => {
        if (event.event === 'log') this.#tunnel.onLog(event.line)
        if (limit.over || fate.interrupted || fate.lost !== undefined) return
        if (event.event === 'restarting' && !this.#tunnel.reconnect) {
          fate.lost = connectionLost(event.reason)
          void tunnel.stop()
        } else if (event.event === 'restarting' && this.#isUseless()) {
          // It would show the same credentials for ever.
          fate.lost = this.#grantOver().error
          void tunnel.stop()
        } else if (event.event === 'refused') {
          this.#avoid = [...this.#avoid, event.remote]
          fate.interrupted = true
          void tunnel.stop()
        } else {
          this.#follow(event)
          if (event.event === 'restarting') this.#onRestarting(event)
        }
      },
    })
    const stop = () => void tunnel.stop()
    limit.signal.addEventListener('abort', stop, { once: true })
    this.#interrupt = () => {
      fate.interrupted = true
      stop()
    }
    if (limit.over) stop()
    const end = await tunnel.ended
    this.#interrupt = undefined
    limit.signal.removeEventListener('abort', stop)
    if (limit.exceeded) return { end: 'failed', error: limit.error() }
    if (end.end === 'failed' || limit.over) return end
    if (fate.lost !== undefined) return { end: 'failed', error: fate.lost }
    return fate.interrupted ? { end: 'interrupted' } : end
  }

  #follow(event: TunnelEvent): void {
    const { target, state, become, grant, onConnected } = this.#tunnel
    // A tunnel tries on without a network; what it says of that is no news.
    if (this.#timer.networkDown && event.event === 'restarting') return
    // Until the tunnel was up once, each attempt is shown, also after a wait.
    if (
      event.event === 'phase' &&
      event.phase === 'starting' &&
      !this.#wasConnected &&
      state().state === 'reconnecting'
    )
      become({ state: 'connecting', target, phase: 'starting' })
    else become(stateAfterTunnelEvent(state(), target, event, this.#dependencies.now().getTime()))
    if (event.event !== 'connected') return
    this.#wasConnected = true
    this.#connectedAt = this.#dependencies.now().getTime()
    this.#avoid = []
    this.#refusals = 0
    this.#refusal = undefined
    this.#freshness.connected()
    this.#timer.networkIsUp()
    if (this.#tunnel.reconnect) {
      this.#stopWatching ??= this.#dependencies.network.watch((happened) => {
        this.#onNetwork(happened)
      })
    }
    grant.connected()
    onConnected()
  }

  /** Returns when the next attempt is due; throws where there is none. */
  async #afterFailure(error: CausewayError): Promise<void> {
    const mayRetry = this.#wasConnected && this.#tunnel.reconnect
    if (isFailure(error, 'refused')) {
      await this.#afterRefusal(error, error.reason)
      return
    }
    this.#refusal = undefined
    if (mayRetry && isFailure(error, 'unverified')) {
      this.#freshness.notVerified(error)
      await this.#waitForAttempt(error.reason, { handshakeFailed: true })
      return
    }
    if (!isFailure(error, 'credentials') && !this.#isUseless()) {
      const reason = retryReason(error)
      if (!mayRetry || reason === undefined) throw error
      const captive = mayBeCaptivePortal(error) && (await this.#tunnel.isBehindCaptivePortal())
      await this.#waitForAttempt(captive ? 'captive-portal' : reason)
      return
    }
    if (this.#wasConnected && !mayRetry) throw error
    try {
      if (!(await this.#tunnel.grant.renew())) throw error
    } catch (renewalError) {
      const reason = retryReason(renewalError)
      if (!mayRetry || reason === undefined) throw renewalError
      await this.#waitForAttempt(reason)
    }
  }

  /** Of a server that took the credentials: it may not know them yet, or cannot ask anybody who does. */
  async #afterRefusal(error: CausewayError, refused: ReconnectReason): Promise<void> {
    if (this.#wasConnected && !this.#tunnel.reconnect) throw error
    this.#refusals += 1
    this.#refusal = error
    let reason = refused
    try {
      const outcome = await this.#tunnel.grant.check()
      if (outcome === 'refused') throw error
      if (outcome === 'replaced') return
    } catch (trouble) {
      if (trouble === error) throw error
      const retried = retryReason(trouble)
      if (retried === undefined || !(trouble instanceof CausewayError)) throw trouble
      reason = retried
      this.#refusal = trouble
    }
    if (!this.#wasConnected && this.#refusals >= mostRefusals) throw this.#refusal
    await this.#waitForAttempt(reason)
  }

  /** Whether the grant at hand is to be asked for anew before another attempt is made with it. */
  #isStale(): boolean {
    return this.#wasConnected && this.#tunnel.reconnect && !this.#timer.networkDown && this.#freshness.isStale
  }

  /** The tunnel itself tries again. */
  #onRestarting(event: Extract<TunnelEvent, { event: 'restarting' }>): void {
    if (!this.#timer.networkDown) this.#freshness.lost(event)
    if (!this.#isStale()) return
    // Without the routes of the tunnel the portal may be reached: it is asked before the next attempt.
    if (this.#freshness.isCutOff) this.#interrupt?.()
    else this.#refreshing ??= this.#refreshBeside()
  }

  /** While there is no tunnel. Throws what ends it. */
  async #refreshBeforeStart(): Promise<void> {
    await this.#refreshing
    const { unverified } = this.#freshness
    const outcome = await this.#refresh()
    this.#freshness.isCutOff = false
    if (unverified !== undefined && outcome === 'same') throw unverified
  }

  /** While the tunnel goes on trying, which is ended where it does so in vain. */
  async #refreshBeside(): Promise<void> {
    try {
      const outcome = await this.#refresh()
      this.#freshness.isCutOff = outcome === 'cut-off'
      if (outcome !== 'changed' || this.#tunnel.state().state === 'connected') return
    } catch (error) {
      // A tunnel that is up again stays while its server lets it.
      if (this.#tunnel.state().state === 'connected') return
      this.#decision = { error }
    } finally {
      this.#refreshing = undefined
    }
    this.#timer.endWait()
    this.#interrupt?.()
  }

  async #refresh(): Promise<'changed' | 'same' | 'cut-off' | 'unknown'> {
    this.#freshness.asked()
    this.#avoid = []
    try {
      return (await this.#tunnel.grant.refresh()) ? 'changed' : 'same'
    } catch (error) {
      if (isDecision(error)) throw error
      // A portal that cannot be asked, or a configuration that cannot be used, leaves the one at hand.
      return mayBeCaptivePortal(error) ? 'cut-off' : 'unknown'
    }
  }

  async #waitForAttempt(reason: ReconnectReason, { handshakeFailed = false } = {}): Promise<void> {
    const { target, limit, state, become } = this.#tunnel
    if (limit.over) return
    const now = this.#dependencies.now().getTime()
    // A server that takes a tunnel only to drop it is asked less and less often, too.
    if (this.#connectedAt !== undefined && now - this.#connectedAt >= settledMs) this.#timer.reset()
    this.#connectedAt = undefined
    this.#avoid = []
    if (this.#wasConnected && !this.#timer.networkDown) this.#freshness.lost({ handshakeFailed })
    const reconnecting = {
      state: 'reconnecting',
      target,
      reason,
      attempt: this.#wasConnected ? attemptAfter(state()) : this.#timer.failures + 1,
      ...(this.#wasConnected ? {} : { notYetConnected: true as const }),
    } as const
    if (await this.#timer.wait(reconnecting, become, limit.signal)) become(reconnecting)
  }

  #onNetwork(event: NetworkEvent): void {
    const { target, state, become, limit } = this.#tunnel
    if (limit.over || !this.#timer.onNetwork(event)) return
    const before = state()
    if (event === 'down') {
      // The tunnel is left alone: its device and routes keep traffic from going round it.
      if (this.#interrupt !== undefined) {
        become({
          state: 'reconnecting',
          target,
          reason: 'network-down',
          attempt: before.state === 'reconnecting' ? before.attempt : 1,
          waitingForNetwork: true,
        })
      }
      this.#timer.onNetworkSeenTo()
      return
    }
    if (this.#interrupt !== undefined) {
      become({
        state: 'reconnecting',
        target,
        reason: event === 'resumed' ? 'resumed-from-sleep' : 'network-changed',
        attempt: before.state === 'reconnecting' && !before.waitingForNetwork ? attemptAfter(before) : 1,
      })
    }
    this.#freshness.inAnotherNetwork()
    this.#timer.onNetworkSeenTo()
    this.#interrupt?.()
  }
}

function connectionLost(reason: string): CausewayError {
  return new CausewayError(
    'connection/lost',
    'The connection was lost, and automatic reconnecting is turned off. Connect again, or turn on the setting "reconnect".',
    { details: { reason } },
  )
}
