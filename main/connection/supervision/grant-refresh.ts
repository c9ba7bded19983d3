import { CausewayError } from '../../errors'
import { retryAfterMs } from '../../platform/http/retrying-http'
import { isDecision } from '../../portal/portal'
import { mayBeCaptivePortal } from '../failures'
import type { Supervision } from './supervised-tunnel'

/** The request to the portal while the tunnel keeps retrying. `failed`: its final error, until the tunnel has ended. */
type Background =
  | { readonly request: 'none' }
  | { readonly request: 'running'; readonly done: Promise<void> }
  | { readonly request: 'failed'; readonly error: unknown }

/**
 * Refreshes a grant that may be out of date since its tunnel was lost: at first while the tunnel runs, because its device and
 * routes keep traffic from bypassing it; without the tunnel if the portal couldn't be reached that way.
 */
export class GrantRefresh {
  readonly #supervision: Supervision
  readonly #freshness = new Freshness()
  /** The time in milliseconds since the epoch since which no server has answered on this network. */
  #silentSince: number | undefined
  /** When the portal asked for a pause before the next refresh of the grant, in milliseconds since the epoch, and how long it is. */
  #pause = { since: 0, ms: 0 }
  #background: Background = { request: 'none' }

  constructor(supervision: Supervision) {
    this.#supervision = supervision
  }

  connected(): void {
    this.#silentSince = undefined
    this.#freshness.connected()
  }

  /** A server has answered, if only with a refusal. */
  answered(): void {
    this.#silentSince = undefined
  }

  notVerified(error: CausewayError): void {
    this.#freshness.notVerified(error)
  }

  inAnotherNetwork(): void {
    this.#freshness.inAnotherNetwork()
    this.#silentSince = undefined
  }

  /** Records the loss of the tunnel, or another failed attempt to restore it. */
  lost(how: { readonly handshakeFailed: boolean }): void {
    if (this.#supervision.timer.networkDown) return
    this.#silentSince ??= this.#now()
    this.#freshness.lost(how)
  }

  /** Refreshes the grant before the next attempt if it may be out of date; returns true if so. Throws final errors. */
  async beforeStart(): Promise<boolean> {
    if (this.#background.request === 'failed') throw this.#background.error
    if (!this.#isStale()) return false
    await this.settled()
    const { unverified } = this.#freshness
    const outcome = await this.#ask()
    this.#freshness.isCutOff = false
    if (unverified !== undefined && outcome === 'same') throw unverified
    return true
  }

  /**
   * Records that the tunnel starts again by itself. Returns `asks` if the portal is asked meanwhile, and `needs-end` if it may
   * only be reachable without the tunnel's routes, before the next attempt.
   */
  restarting(how: { readonly handshakeFailed: boolean }): 'goes-on' | 'asks' | 'needs-end' {
    this.lost(how)
    if (!this.#isStale()) return 'goes-on'
    if (this.#freshness.isCutOff) return 'needs-end'
    if (this.#background.request === 'running') return 'goes-on'
    this.#background = { request: 'running', done: this.#askWhileRunning() }
    return 'asks'
  }

  /** Resolves when no request is under way. */
  async settled(): Promise<void> {
    if (this.#background.request === 'running') await this.#background.done
  }

  #now(): number {
    return this.#supervision.dependencies.now().getTime()
  }

  #isStale(): boolean {
    const { timer, tunnel } = this.#supervision
    if (!tunnel.reconnect || timer.networkDown) return false
    const now = this.#now()
    // A clock that was set back doesn't tell how long ago that was.
    const passed = now - this.#pause.since
    if (!this.#freshness.isStale || (passed >= 0 && passed < this.#pause.ms)) return false
    // One that isn't the profile's has answered, and says as much about the configuration as a long silence.
    if (this.#freshness.unverified !== undefined) return true
    // Nor how long no server has answered: it counts from now on.
    this.#silentSince = Math.min(this.#silentSince ?? now, now)
    return tunnel.grant.isRefreshDue(now - this.#silentSince)
  }

  /** Asks while the tunnel keeps retrying; interrupts it if the grant has changed or is refused. A tunnel that is up again stays. */
  async #askWhileRunning(): Promise<void> {
    const { dependencies, interrupt, tunnel } = this.#supervision
    const isUp = (): boolean => tunnel.machine.state.state === 'connected'
    try {
      const outcome = await this.#ask()
      this.#background = { request: 'none' }
      this.#freshness.isCutOff = outcome === 'cut-off'
      if (outcome !== 'changed' || isUp()) return
    } catch (error) {
      this.#background = isUp() ? { request: 'none' } : { request: 'failed', error }
      if (isUp()) {
        if (!(error instanceof CausewayError)) dependencies.onDefect(error)
        return
      }
    }
    interrupt()
  }

  async #ask(): Promise<'changed' | 'same' | 'cut-off' | 'unknown'> {
    this.#freshness.asked()
    try {
      return (await this.#supervision.tunnel.grant.refresh()) ? 'changed' : 'same'
    } catch (error) {
      // A defect says nothing about the portal.
      if (isDecision(error) || !(error instanceof CausewayError)) throw error
      this.#pause = { since: this.#now(), ms: retryAfterMs(error) }
      // If the portal can't be reached or its configuration is unusable, the current grant stays.
      return mayBeCaptivePortal(error) ? 'cut-off' : 'unknown'
    }
  }
}

/** The number of failed attempts to reconnect after which the configuration may be out of date. */
const failuresUntilStale = 3

/**
 * Tracks whether a grant may be out of date. Attempts to reconnect that keep failing may mean that the servers' configuration
 * has changed.
 */
class Freshness {
  /** The loss of the tunnel and the failed attempts since, reset when the grant is refreshed. */
  #losses = 0
  /** A failed handshake since the tunnel was last up; `asked` once the grant was refreshed for it. */
  #failedHandshake: 'none' | 'seen' | 'asked' = 'none'
  /** The failed verification of the server, which is final unless the portal now grants something else. */
  #unverified: CausewayError | undefined
  /** The portal couldn't be reached through the tunnel's routes. */
  isCutOff = false

  get unverified(): CausewayError | undefined {
    return this.#unverified
  }

  /** True to refresh the grant before another attempt. */
  get isStale(): boolean {
    return (
      this.#losses > failuresUntilStale || this.#failedHandshake === 'seen' || this.#unverified !== undefined
    )
  }

  /** The tunnel is up. */
  connected(): void {
    this.#losses = 0
    this.#failedHandshake = 'none'
    this.isCutOff = false
  }

  lost({ handshakeFailed }: { readonly handshakeFailed: boolean }): void {
    this.#losses += 1
    // The first loss is that of the tunnel itself.
    if (handshakeFailed && this.#losses > 1 && this.#failedHandshake === 'none')
      this.#failedHandshake = 'seen'
  }

  notVerified(error: CausewayError): void {
    this.#unverified = error
  }

  /** Resets the count, because the portal is being asked. */
  asked(): void {
    this.#losses = 1
    if (this.#failedHandshake === 'seen') this.#failedHandshake = 'asked'
    this.#unverified = undefined
  }

  /** Discards the failures of the previous network. */
  inAnotherNetwork(): void {
    this.#losses = Math.min(this.#losses, 1)
    if (this.#failedHandshake === 'seen') this.#failedHandshake = 'none'
    this.isCutOff = false
  }
}
