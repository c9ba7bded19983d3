import { CausewayError } from '../../errors'
import { retryAfterMs } from '../../platform/http/retrying-http'
import { type TunnelFailure, isFailure } from '../../tunnel/tunnel'
import { retryReason } from '../failures'
import { GrantRefresh } from './grant-refresh'
import { ReconnectPolicy } from './reconnect-policy'
import { type Supervision, type Verdict, maxRefusals, withVariant } from './supervised-tunnel'

/**
 * Judges failures before the first tunnel: each is final, except a refusal after the handshake, which a starting server gives
 * too. If the portal accepts the credentials, the attempt is repeated.
 */
export class FirstAttemptPolicy {
  /** True once the network was found not to carry UDP. */
  movesToTcp = false
  readonly #supervision: Supervision
  /** The number of refusals. */
  #refusals = 0
  /** The error to end with if the time is up; it says more than a time-out. */
  #refusal: CausewayError | undefined

  constructor(supervision: Supervision) {
    this.#supervision = supervision
  }

  get refusal(): CausewayError | undefined {
    return this.#refusal
  }

  /** A tunnel is up: returns the policy from now on. */
  up(): ReconnectPolicy {
    const supervision = this.#supervision
    const stopWatching = supervision.dependencies.network.watch(supervision.onNetwork)
    return new ReconnectPolicy(supervision, new GrantRefresh(supervision), stopWatching)
  }

  /** Returns what follows a failure; throws an error that is final. */
  async judge(error: CausewayError): Promise<Verdict> {
    if (isFailure(error, 'refused')) return this.#afterRefusal(error)
    const { grant, limit } = this.#supervision.tunnel
    // The time may be up while the next attempt starts.
    if (!limit.exceeded) this.#refusal = undefined
    if (isFailure(error, 'silent') || isFailure(error, 'blocked')) {
      // The network may block UDP.
      if (!(await grant.moveToTcp())) throw error
      this.movesToTcp = true
      return 'start'
    }
    if (!isFailure(error, 'credentials')) throw error
    if (await grant.renew()) return 'start'
    throw grant.isReplacement ? withVariant(error, 'new-too') : error
  }

  /**
   * The server may not know the credentials yet, or can't check them, because its portal is down. The portal is asked each time:
   * it may say that the user has no access any more.
   */
  async #afterRefusal(error: TunnelFailure): Promise<Verdict> {
    this.#refusals += 1
    this.#refusal = error
    let { reason } = error
    const outcome = await this.#supervision.tunnel.grant.check().catch((trouble: unknown) => {
      const temporary = retryReason(trouble)
      if (temporary === undefined || !(trouble instanceof CausewayError)) throw trouble
      reason = temporary
      this.#refusal = trouble
      return 'not-asked' as const
    })
    if (outcome === 'refused') throw error
    if (outcome === 'replaced') return 'start'
    if (outcome !== 'not-asked') this.#refusal = withVariant(error, 'by-server-only')
    if (this.#refusals >= maxRefusals) throw this.#refusal
    return { reason, atLeastMs: retryAfterMs(this.#refusal) }
  }

  /** Nothing is left running before the first tunnel. */
  end(): Promise<void> {
    return Promise.resolve()
  }
}
