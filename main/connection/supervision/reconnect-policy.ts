import type { ReconnectReason } from '../../../contract/connection'
import type { CausewayError } from '../../errors'
import { retryAfterMs } from '../../platform/http/retrying-http'
import { endsAccess } from '../../portal/portal'
import { reasonAfterUp } from '../../tunnel/after-up'
import { TunnelFailure, isFailure } from '../../tunnel/tunnel'
import { endedByService, mayBeCaptivePortal, retryReason, sessionOver } from '../failures'
import type { GrantRefresh } from './grant-refresh'
import { type Supervision, type Verdict, maxRefusals, withVariant } from './supervised-tunnel'

/** The number of tunnels in a row without an answer after which the credentials may be the reason. */
const maxSilences = 2

/** Judges failures since a tunnel was up: only errors that another attempt can't change are final, if it may reconnect at all. */
export class ReconnectPolicy {
  readonly refresh: GrantRefresh
  /** True once the network was found not to carry UDP. */
  movesToTcp = false
  readonly #supervision: Supervision
  readonly #stopWatching: () => void
  /** The number of refusals after the handshake in a row. */
  #refusals = 0
  /** The number of tunnels in a row that got no answer. */
  #silences = 0

  /** @param stopWatching ends the watch of the network */
  constructor(supervision: Supervision, refresh: GrantRefresh, stopWatching: () => void) {
    this.#supervision = supervision
    this.refresh = refresh
    this.#stopWatching = stopWatching
  }

  /** A tunnel is up again: returns the policy from now on, which has no failures. */
  up(): ReconnectPolicy {
    this.refresh.connected()
    return new ReconnectPolicy(this.#supervision, this.refresh, this.#stopWatching)
  }

  /** Ends the watch of the network, and resolves when the portal is not asked any more. */
  async end(): Promise<void> {
    this.#stopWatching()
    await this.refresh.settled()
  }

  /** Discards what was found in the previous network. */
  inAnotherNetwork(): void {
    this.refresh.inAnotherNetwork()
    this.#silences = 0
  }

  /** Returns why a tunnel is restored that ended with this error; undefined if it isn't. */
  reasonFor(error: CausewayError): ReconnectReason | undefined {
    const mayGoOn = this.#supervision.tunnel.reconnect || isFailure(error, 'blocked')
    if (!mayGoOn) return undefined
    return error instanceof TunnelFailure ? error.reason : (retryReason(error) ?? reasonAfterUp(error))
  }

  /** Returns what follows a failure; throws an error that is final. */
  async judge(error: CausewayError): Promise<Verdict> {
    const { grant, reconnect, isBehindCaptivePortal } = this.#supervision.tunnel
    if (isFailure(error, 'blocked')) return this.#afterBlocked(error)
    if (!reconnect) throw error
    if (isFailure(error, 'refused')) return this.#afterRefusal(error)
    if (isFailure(error, 'silent')) return this.#afterSilence(error)
    if (isFailure(error, 'unverified')) {
      this.refresh.notVerified(error)
      return { reason: error.reason, handshakeFailed: true }
    }
    if (isFailure(error, 'credentials') || grant.isExpired()) return this.#afterRejection(error)
    const reason = retryReason(error) ?? reasonAfterUp(error)
    if (reason === undefined) throw error
    const captive = mayBeCaptivePortal(error) && (await isBehindCaptivePortal())
    return { reason: captive ? 'captive-portal' : reason, atLeastMs: retryAfterMs(error) }
  }

  /** The network carries no UDP. */
  async #afterBlocked(error: TunnelFailure): Promise<Verdict> {
    if (!(await this.#supervision.tunnel.grant.moveToTcp())) throw error
    return this.#moved()
  }

  #moved(): 'start' {
    this.movesToTcp = true
    this.#silences = 0
    return 'start'
  }

  /** The server rejects the credentials, or they have expired. */
  async #afterRejection(error: CausewayError): Promise<Verdict> {
    const { grant } = this.#supervision.tunnel
    const renewed = await this.#askPortal(() => grant.renew(), 'tls-error')
    if (renewed === true) return 'start'
    if (renewed === false) throw grant.isReplacement ? withVariant(error, 'new-too') : error
    return renewed
  }

  /** The server refuses credentials that it knew: the portal says if the user still has access. */
  async #afterRefusal(error: TunnelFailure): Promise<Verdict> {
    const { grant } = this.#supervision.tunnel
    this.refresh.answered()
    this.#refusals += 1
    const outcome = await this.#askPortal(async () => {
      const checked = await grant.check()
      // Where the portal can't tell whether it still knows the grant, the refusal is believed in the end.
      if (checked !== 'login-accepted' || this.#refusals < maxRefusals) return checked
      return (await grant.renew()) ? 'replaced' : 'refused'
    }, error.reason)
    if (outcome === 'refused') throw error
    if (outcome === 'replaced') return 'start'
    if (typeof outcome === 'string') return { reason: error.reason, atLeastMs: retryAfterMs(error) }
    // A server that can't ask its portal either refuses everybody.
    this.#refusals = 0
    return outcome
  }

  /**
   * There is no answer. The server may have silently dropped the credentials, so that other ones are asked for after the
   * second attempt. But a network that the tunnel was never up in may carry no UDP.
   */
  async #afterSilence({ reason }: TunnelFailure): Promise<Verdict> {
    const { grant, target, isBehindCaptivePortal, isElsewhere } = this.#supervision.tunnel
    if (grant.isExpired()) throw sessionOver(target.instanceId)
    if (await isBehindCaptivePortal()) return { reason: 'captive-portal' }
    this.#silences += 1
    if (this.#silences < maxSilences) return { reason }
    if (await isElsewhere()) {
      const moved = await this.#askPortal(() => grant.moveToTcp(), reason)
      if (moved === true) return this.#moved()
      if (moved !== false) return moved
    }
    const renewed = await this.#askPortal(() => grant.renew(), reason)
    // Neither the old nor the new ones are answered.
    if (renewed === false) throw endedByService(target.instanceId)
    if (renewed !== true) return renewed
    this.#silences = 0
    return 'start'
  }

  /** Returns the portal's answer, or the wait after an error that isn't final. */
  async #askPortal<Answer>(
    question: () => Promise<Answer>,
    otherwise: ReconnectReason,
  ): Promise<Answer | Exclude<Verdict, 'start'>> {
    try {
      return await question()
    } catch (error) {
      const reason = retryReason(error) ?? (endsAccess(error) ? undefined : otherwise)
      if (reason === undefined) throw error
      return { reason, atLeastMs: retryAfterMs(error) }
    }
  }
}
