import type { ReconnectReason, RoutesLeft } from '../../contract/connection'
import { CausewayError } from '../errors'
import { retryAfterMs } from '../platform/http/retrying-http'
import type { NetworkEvent, NetworkEvents } from '../platform/network/network-events'
import { endsAccess, isDecision } from '../portal/portal'
import { reasonAfterUp } from '../tunnel/after-up'
import {
  type Remote,
  type Tunnel,
  type TunnelBackend,
  type TunnelEnd,
  type TunnelEvent,
  type TunnelOptions,
  type TunnelFailure,
  isFailure,
} from '../tunnel/tunnel'
import { AttemptTimer, type AttemptTimerDependencies, type TimeLimit } from './attempts'
import { endedByService, mayBeCaptivePortal, retryReason, sessionOver, tunnelTimedOut } from './failures'
import { Freshness, type HeldGrant } from './held-grant'
import type { StateMachine } from './state-machine'
import { attemptAfter } from './states/shared'

export interface SupervisorDependencies extends AttemptTimerDependencies {
  readonly backend: Pick<TunnelBackend, 'openTunnel'>
  /** Watched while there is a tunnel. */
  readonly network: NetworkEvents
  readonly onDefect: (error: unknown) => void
}

/** Parameters for a supervised tunnel. */
export interface SupervisedTunnel extends TunnelOptions {
  readonly instanceId: string
  readonly grant: Pick<
    HeldGrant,
    | 'tunnel'
    | 'isExpired'
    | 'isReplacement'
    | 'isRefreshDue'
    | 'connected'
    | 'renew'
    | 'check'
    | 'refresh'
    | 'moveToTcp'
  >
  /** Reconnect when the tunnel is lost. */
  readonly reconnect: boolean
  /** Limits the time until the first `connected`. Its signal ends everything. */
  readonly limit: TimeLimit
  readonly machine: Pick<StateMachine, 'state' | 'send'>
  /** Returns true behind a captive portal; called after failures that one can cause. */
  readonly isBehindCaptivePortal: () => Promise<boolean>
  readonly onConnected: () => void
  /** Called when a tunnel over TCP is up, after one over UDP didn't get through this network. */
  readonly onMovedToTcp: () => void
  readonly onLog: (line: string) => void
}

/** The least uptime of a tunnel that resets the back-off. */
const stableAfterMs = 30_000

/** The number of refusals after the handshake, about half a minute, that end a first connection. */
const maxRefusals = 6

/** The number of tunnels in a row without an answer after which the credentials may be the reason. */
const maxSilences = 2

/**
 * Keeps a tunnel up: starts it, and restarts it when it fails, when the network changes, and after sleep. Before the tunnel was
 * up, every failure is final except a refusal after the handshake, which a starting server gives too: if the portal accepts
 * the credentials, the attempt is repeated. Later, only permanent errors are final.
 *
 * A grant that may be out of date is refreshed, at first while the tunnel runs, because its device and routes keep traffic from
 * bypassing it; without the tunnel if the portal couldn't be reached that way.
 */
export class Supervisor {
  readonly #dependencies: SupervisorDependencies
  readonly #tunnel: SupervisedTunnel
  readonly #timer: AttemptTimer
  readonly #freshness = new Freshness()
  #wasConnected = false
  /** The number of refusals after the handshake in a row, and the error of the last one. */
  #refusals = 0
  #refusal: CausewayError | undefined
  /** The number of tunnels in a row that got no answer since one was up. */
  #silences = 0
  #isMovingToTcp = false
  /** The tunnel that runs. */
  #running: Tunnel | undefined
  #refreshing: Promise<void> | undefined
  /** The portal's final error, received while the tunnel was running. */
  #finalError: { readonly error: unknown } | undefined
  /** The start of the last tunnel in milliseconds since the epoch, until its end is handled. */
  #connectedAt: number | undefined
  /** The time in milliseconds since the epoch since which no server has answered on this network. */
  #silentSince: number | undefined
  /** Remotes that were not listening, in this round. */
  #avoid: readonly Remote[] = []
  /** The server of the last attempt. */
  #remote: Remote | undefined
  /** The time in milliseconds since the epoch before which the portal wants no refresh of the grant. */
  #askNotBefore = 0
  #interrupt: (() => void) | undefined
  #routesChanged: (() => void) | undefined
  /** Whether the routes of the last tunnel still stand. */
  #routes: RoutesLeft = 'gone'
  #stopWatching: (() => void) | undefined

  constructor(dependencies: SupervisorDependencies, tunnel: SupervisedTunnel) {
    this.#dependencies = dependencies
    this.#tunnel = tunnel
    this.#timer = new AttemptTimer(dependencies, tunnel.machine)
  }

  /** Runs until the tunnel is stopped and cleaned up; throws the final error. */
  async run(): Promise<void> {
    try {
      for (;;) {
        if (this.#finalError !== undefined) throw this.#finalError.error
        if (this.#isStale()) await this.#refreshBeforeStart()
        const end = this.#isGrantExpired()
          ? this.#sessionOver()
          : await this.#runTunnel().catch((error: unknown) => this.#notStarted(error))
        if (end.end === 'stopped') return
        if (end.end === 'failed') await this.#afterFailure(end.error)
      }
    } catch (error) {
      // The refusal says more than the time-out.
      throw this.#tunnel.limit.exceeded ? (this.#refusal ?? error) : error
    } finally {
      this.#stopWatching?.()
      await this.#refreshing
    }
  }

  /** Returns true if another attempt can't succeed because the grant has expired. A tunnel that is up stays. */
  #isGrantExpired(): boolean {
    return this.#wasConnected && this.#tunnel.grant.isExpired()
  }

  #sessionOver(): Extract<TunnelEnd, { end: 'failed' }> {
    return { end: 'failed', error: sessionOver(this.#tunnel.instanceId) }
  }

  /**
   * Starts the tunnel again, with the same grant, because the user asks for it; while reconnecting, makes the next attempt
   * now. Tries another server if no traffic passes through this one.
   */
  again(event: 'reconnect' | 'retry'): void {
    const { machine } = this.#tunnel
    const before = machine.state
    if (before.state === 'connected' && before.passing === false && this.#remote !== undefined)
      this.#avoid = [this.#remote]
    if (machine.send({ event, routes: this.#routes }).state !== 'reconnecting') return
    if (before.state === 'connected' && this.#recovers()) return
    this.#timer.endWait()
    this.#interrupt?.()
  }

  /** Lets a tunnel that is up find its server again by itself, if it can. */
  #recovers(): boolean {
    if (this.#connectedAt === undefined || this.#running?.recover === undefined) return false
    this.#running.recover()
    return true
  }

  async #runTunnel(): Promise<TunnelEnd | { readonly end: 'interrupted' }> {
    const { mode, preferTcp, grant, limit } = this.#tunnel
    if (limit.exceeded) throw this.#timedOut()
    limit.signal.throwIfAborted()
    const ending: { lost?: CausewayError; interrupted: boolean } = { interrupted: false }
    const tunnel = await this.#dependencies.backend.openTunnel(grant.tunnel, {
      mode,
      preferTcp,
      avoid: this.#avoid,
      onEvent: (event) => {
        if (event.event === 'log') this.#tunnel.onLog(event.line)
        if (limit.over || ending.interrupted || ending.lost !== undefined) return
        if (event.event === 'restarting' && !this.#tunnel.reconnect) {
          ending.lost = connectionLost(event.reason)
          void tunnel.stop()
        } else if (event.event === 'restarting' && this.#isGrantExpired()) {
          // The tunnel would retry with the expired credentials for ever.
          ending.lost = this.#sessionOver().error
          void tunnel.stop()
        } else if (event.event === 'stuck' && this.#timer.networkDown) {
          // Nothing can be reached without the tunnel either, and its routes keep traffic from leaving outside it.
        } else if (event.event === 'refused' || event.event === 'stuck') {
          this.#avoid = event.event === 'refused' ? [...this.#avoid, event.remote] : event.tried
          ending.interrupted = true
          void tunnel.stop()
        } else if (event.event !== 'log') {
          this.#onEvent(event)
          if (event.event === 'restarting') this.#onRestarting(event)
        }
      },
    })
    this.#running = tunnel
    let timedOut: CausewayError | undefined
    const stop = () => {
      if (limit.exceeded) timedOut ??= this.#timedOut()
      void tunnel.stop()
    }
    limit.signal.addEventListener('abort', stop, { once: true })
    this.#interrupt = () => {
      ending.interrupted = true
      stop()
    }
    this.#routesChanged = () => tunnel.routesChanged?.()
    if (limit.over) stop()
    const end = await tunnel.ended
    this.#running = undefined
    this.#interrupt = undefined
    this.#routesChanged = undefined
    this.#routes = 'gone'
    this.#tunnel.machine.send({ event: 'ended' })
    limit.signal.removeEventListener('abort', stop)
    if (timedOut !== undefined) return { end: 'failed', error: timedOut }
    if (end.end === 'failed' || limit.over) return end
    if (ending.lost !== undefined) return { end: 'failed', error: ending.lost }
    return ending.interrupted ? { end: 'interrupted' } : end
  }

  /** Returns the end of a tunnel that couldn't be started; throws an error that is final. */
  #notStarted(error: unknown): TunnelEnd {
    const isTemporary = (retryReason(error) ?? reasonAfterUp(error)) !== undefined
    if (this.#wasConnected && isTemporary && error instanceof CausewayError) return { end: 'failed', error }
    throw error
  }

  #timedOut(): CausewayError {
    const { machine, grant, limit } = this.#tunnel
    return tunnelTimedOut(machine.state, grant.tunnel, limit.seconds)
  }

  #onEvent(event: Exclude<TunnelEvent, { readonly event: 'log' | 'refused' | 'stuck' }>): void {
    const { machine, grant, onConnected } = this.#tunnel
    if (event.event === 'phase' && event.remote !== undefined) {
      const { host, port, protocol } = event.remote
      this.#remote = { host, port, protocol }
    }
    // A tunnel keeps retrying without a network, which changes nothing.
    if (this.#timer.networkDown && event.event === 'restarting') return
    if (event.event === 'connected')
      machine.send({ ...event, protocol: grant.tunnel.protocol, since: this.#dependencies.now().getTime() })
    else machine.send(event)
    if (event.event === 'restarting' || event.event === 'routes') this.#routes = event.routes
    if (event.event !== 'connected') return
    this.#routes = event.details.routes === undefined ? 'gone' : 'kept'
    this.#wasConnected = true
    this.#connectedAt = this.#dependencies.now().getTime()
    this.#avoid = []
    this.#silentSince = undefined
    this.#refusals = 0
    this.#refusal = undefined
    this.#silences = 0
    if (this.#isMovingToTcp) this.#tunnel.onMovedToTcp()
    this.#isMovingToTcp = false
    this.#freshness.connected()
    this.#timer.networkIsUp()
    this.#stopWatching ??= this.#dependencies.network.watch((happened) => {
      if (happened === 'routes') this.#routesChanged?.()
      else if (this.#tunnel.reconnect) this.#onNetwork(happened)
    })
    grant.connected()
    onConnected()
  }

  /** Resolves when the next attempt is due; throws if the failure is final. */
  async #afterFailure(error: CausewayError): Promise<void> {
    const mayRetry = this.#wasConnected && this.#tunnel.reconnect
    if (isFailure(error, 'refused')) {
      await this.#afterRefusal(error, error.reason)
      return
    }
    this.#refusal = undefined
    if (isFailure(error, 'silent') || isFailure(error, 'blocked')) {
      await this.#afterSilence(error)
      return
    }
    if (mayRetry && isFailure(error, 'unverified')) {
      this.#freshness.notVerified(error)
      await this.#waitForAttempt(error.reason, { handshakeFailed: true })
      return
    }
    if (!isFailure(error, 'credentials') && !this.#isGrantExpired()) {
      const reason = retryReason(error) ?? reasonAfterUp(error)
      if (!mayRetry || reason === undefined) throw error
      const captive = mayBeCaptivePortal(error) && (await this.#tunnel.isBehindCaptivePortal())
      await this.#waitForAttempt(captive ? 'captive-portal' : reason, { atLeastMs: retryAfterMs(error) })
      return
    }
    if (this.#wasConnected && !mayRetry) throw error
    const { grant } = this.#tunnel
    try {
      if (!(await grant.renew())) throw error
    } catch (renewalError) {
      if (renewalError === error) throw grant.isReplacement ? withVariant(error, 'new-too') : error
      if (!mayRetry) throw renewalError
      await this.#waitForAttempt(this.#reasonToGoOn(renewalError, 'tls-error'), {
        atLeastMs: retryAfterMs(renewalError),
      })
    }
  }

  /**
   * Handles a refusal after the handshake: the server may not know the credentials yet, or can't check them, because its
   * portal is down. The portal is asked at the first one: it may say that the user has no access any more.
   */
  async #afterRefusal(error: CausewayError, refused: ReconnectReason): Promise<void> {
    if (this.#wasConnected && !this.#tunnel.reconnect) throw error
    const { grant } = this.#tunnel
    this.#silentSince = undefined
    this.#refusals += 1
    this.#refusal = error
    let reason = refused
    try {
      const outcome = await grant.check()
      if (outcome === 'refused') throw error
      if (outcome === 'replaced') return
      // Where the portal can't tell whether it still knows the grant, the refusal is believed in the end.
      if (outcome === 'login-accepted' && this.#wasConnected && this.#refusals >= maxRefusals) {
        if (await grant.renew()) return
        throw error
      }
      if (!this.#wasConnected) this.#refusal = withVariant(error, 'by-server-only')
    } catch (trouble) {
      if (trouble === error) throw error
      reason = this.#reasonToGoOn(trouble, refused)
      if (trouble instanceof CausewayError) this.#refusal = trouble
      // A server that can't ask its portal either refuses everybody.
      if (this.#wasConnected) this.#refusals = 0
    }
    if (!this.#wasConnected && this.#refusals >= maxRefusals) throw this.#refusal
    await this.#waitForAttempt(reason, { atLeastMs: retryAfterMs(this.#refusal) })
  }

  /**
   * Handles a tunnel without an answer. At first, the network may block it. Later, the server may have dropped the
   * credentials without a word, so that other ones are asked for after the second attempt.
   */
  async #afterSilence(error: TunnelFailure): Promise<void> {
    const { grant, instanceId, machine } = this.#tunnel
    if (error.failureClass === 'blocked' || !this.#wasConnected) {
      if (this.#wasConnected) machine.send({ event: 'move-to-tcp', reason: error.reason })
      if (await grant.moveToTcp()) {
        this.#isMovingToTcp = true
        return
      }
      throw error
    }
    if (!this.#tunnel.reconnect) throw error
    if (this.#isGrantExpired()) throw this.#sessionOver().error
    if (await this.#tunnel.isBehindCaptivePortal()) {
      await this.#waitForAttempt('captive-portal')
      return
    }
    this.#silences += 1
    const { reason } = error
    if (this.#silences >= maxSilences) {
      try {
        if (await grant.renew()) {
          this.#silences = 0
          return
        }
      } catch (trouble) {
        await this.#waitForAttempt(this.#reasonToGoOn(trouble, reason), { atLeastMs: retryAfterMs(trouble) })
        return
      }
      // Neither the old nor the new ones are answered.
      throw endedByService(instanceId)
    }
    await this.#waitForAttempt(reason)
  }

  /** Returns the reason to retry after an error of the portal; throws an error that is final. */
  #reasonToGoOn(error: unknown, otherwise: ReconnectReason): ReconnectReason {
    const reason = retryReason(error) ?? (this.#wasConnected && !endsAccess(error) ? otherwise : undefined)
    if (reason === undefined) throw error
    return reason
  }

  /** Returns true if the grant should be refreshed before the next attempt. */
  #isStale(): boolean {
    if (!this.#wasConnected || !this.#tunnel.reconnect || this.#timer.networkDown) return false
    const now = this.#dependencies.now().getTime()
    if (!this.#freshness.isStale || now < this.#askNotBefore) return false
    // One that isn't the profile's has answered, and says as much about the configuration as a long silence.
    if (this.#freshness.unverified !== undefined) return true
    return this.#tunnel.grant.isRefreshDue(now - (this.#silentSince ?? now))
  }

  #lost(how: { readonly handshakeFailed: boolean }): void {
    if (this.#timer.networkDown) return
    this.#silentSince ??= this.#dependencies.now().getTime()
    this.#freshness.lost(how)
  }

  /** Handles a reconnect by the tunnel itself. */
  #onRestarting(event: Extract<TunnelEvent, { event: 'restarting' }>): void {
    this.#lost(event)
    if (!this.#isStale()) return
    // The portal may be reachable without the tunnel's routes: it's asked before the next attempt.
    if (this.#freshness.isCutOff) this.#interrupt?.()
    else this.#refreshing ??= this.#refreshWhileRunning()
  }

  /** Refreshes the grant while there is no tunnel. Throws final errors. */
  async #refreshBeforeStart(): Promise<void> {
    await this.#refreshing
    const { unverified } = this.#freshness
    const outcome = await this.#refresh()
    this.#freshness.isCutOff = false
    if (unverified !== undefined && outcome === 'same') throw unverified
  }

  /** Refreshes the grant while the tunnel keeps retrying; interrupts it if the grant has changed or is refused. */
  async #refreshWhileRunning(): Promise<void> {
    try {
      const outcome = await this.#refresh()
      this.#freshness.isCutOff = outcome === 'cut-off'
      if (outcome !== 'changed' || this.#tunnel.machine.state.state === 'connected') return
    } catch (error) {
      // A tunnel that is up again stays.
      if (this.#tunnel.machine.state.state === 'connected') {
        if (!(error instanceof CausewayError)) this.#dependencies.onDefect(error)
        return
      }
      this.#finalError = { error }
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
      // A defect says nothing about the portal.
      if (isDecision(error) || !(error instanceof CausewayError)) throw error
      this.#askNotBefore = this.#dependencies.now().getTime() + retryAfterMs(error)
      // If the portal can't be reached or its configuration is unusable, the current grant stays.
      return mayBeCaptivePortal(error) ? 'cut-off' : 'unknown'
    }
  }

  /** `atLeastMs`: the time that the portal wants to pass before it's asked again. */
  async #waitForAttempt(
    reason: ReconnectReason,
    { handshakeFailed = false, atLeastMs = 0 } = {},
  ): Promise<void> {
    const { limit, machine } = this.#tunnel
    if (limit.over) return
    const now = this.#dependencies.now().getTime()
    // Back-off also applies to a server that accepts the tunnel and then drops it.
    if (this.#connectedAt !== undefined && now - this.#connectedAt >= stableAfterMs) this.#timer.reset()
    this.#connectedAt = undefined
    this.#avoid = []
    if (this.#wasConnected) this.#lost({ handshakeFailed })
    const next = this.#wasConnected
      ? { attempt: attemptAfter(machine.state) }
      : { notYetConnected: true as const }
    if (await this.#timer.wait({ reason, routes: this.#routes, atLeastMs, ...next }, limit.signal))
      machine.send({ event: 'attempt' })
  }

  #onNetwork(change: Exclude<NetworkEvent, 'routes'>): void {
    const { limit, machine } = this.#tunnel
    if (limit.over || !this.#timer.onNetwork(change)) return
    if (this.#interrupt !== undefined) machine.send({ event: 'network', change, routes: this.#routes })
    if (change === 'down') {
      this.#running?.pause?.()
      return
    }
    this.#freshness.inAnotherNetwork()
    this.#silentSince = undefined
    if (!this.#recovers()) this.#interrupt?.()
  }
}

/** Returns the error with another sentence. */
function withVariant({ code, details }: CausewayError, variant: 'by-server-only' | 'new-too'): CausewayError {
  return CausewayError.fromReport({ code, variant, details })
}

function connectionLost(reason: string): CausewayError {
  return new CausewayError('connection/lost', { details: { reason } })
}
