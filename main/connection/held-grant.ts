import { hasCode } from '../errors'
import type { Grant } from '../portal/portal'
import type { GrantedTunnel } from '../tunnel/tunnel'
import { sessionOver } from './failures'

export interface HeldGrantOptions {
  readonly grant: Grant
  readonly instanceId: string
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Returns true if the tunnel differs from what the portal grants now. */
  readonly isOutdated: (held: GrantedTunnel, current: GrantedTunnel) => Promise<boolean>
  /** Called before a renewal, if no server has accepted a grant yet. */
  readonly onRenewing: () => void
  /** Called before a grant over TCP is requested, in the network that seems to block UDP. */
  readonly onMovingToTcp: () => void
}

/** The current grant of a connection, with its renewal. */
export class HeldGrant {
  readonly #options: HeldGrantOptions
  #grant: Grant
  /** The credentials are new and no server has accepted them yet, so a renewal wouldn't help. */
  #isUntried: boolean
  /** The credentials have replaced others that a server refused. */
  #isReplacement = false
  #wasConnected = false

  constructor(options: HeldGrantOptions) {
    this.#options = options
    this.#grant = options.grant
    this.#isUntried = options.grant.isNew
  }

  get tunnel(): GrantedTunnel {
    return this.#grant.tunnel
  }

  get isReplacement(): boolean {
    return this.#isReplacement
  }

  isExpired(): boolean {
    return this.#options.now() >= this.#grant.validUntil
  }

  /** Records that a server has accepted the grant. */
  connected(): void {
    this.#isUntried = false
    this.#isReplacement = false
    this.#wasConnected = true
  }

  /**
   * Requests new credentials; returns false if the current ones are new and not accepted yet. Throws the portal's refusal, or
   * why it couldn't be asked.
   */
  async renew(): Promise<boolean> {
    const { onRenewing, signal } = this.#options
    if (this.#isUntried) return false
    if (!this.#wasConnected) onRenewing()
    this.#replace(await this.#ask(() => this.#grant.renew(signal)))
    return true
  }

  /** Requests a grant over TCP; returns false if there is none. Throws like `renew`. */
  async moveToTcp(): Promise<boolean> {
    const grant = this.#grant
    if (grant.overTcp === undefined) return false
    this.#options.onMovingToTcp()
    if (!this.#wasConnected) this.#options.onRenewing()
    this.#replace(await this.#ask(async () => (await grant.overTcp?.(this.#options.signal)) ?? grant))
    return true
  }

  /**
   * Asks the portal about credentials that a server refused, and replaces them if the portal doesn't accept them either.
   * Returns `refused` if those are new, and `login-accepted` if the portal can't tell more. Throws like `renew`.
   */
  async check(): Promise<'accepted' | 'login-accepted' | 'replaced' | 'refused'> {
    const grant = this.#grant
    const accepted = await this.#ask(() => grant.check(this.#options.signal))
    if (accepted === 'login-accepted') return accepted
    if (accepted === undefined) return (await this.renew()) ? 'replaced' : 'refused'
    if (accepted === grant) return 'accepted'
    // Another process has got new ones.
    this.#replace(accepted)
    return 'replaced'
  }

  /** Returns whether the grant may be refreshed whose servers have not answered for so long. */
  isRefreshDue(silentMs: number): boolean {
    return this.#grant.reissue?.isDue(silentMs) ?? true
  }

  /** Requests the grant again, without a login; returns true if the tunnel has changed. Throws like `renew`. */
  async refresh(): Promise<boolean> {
    const { tunnel: held, reissue } = this.#grant
    if (reissue !== undefined) {
      if (!reissue.isDue(Infinity)) return false
      this.#replace(await this.#ask(() => reissue.get(this.#options.signal)))
      return true
    }
    if (this.#grant.refresh === undefined) return false
    await this.check()
    const grant = this.#grant
    const current = await this.#ask(async () => grant.refresh?.(this.#options.signal) ?? grant)
    const isOutdated = await this.#options.isOutdated(held, current.tunnel)
    if (isOutdated) this.#grant = current
    return isOutdated
  }

  #replace(grant: Grant): void {
    this.#grant = grant
    this.#isUntried = true
    this.#isReplacement = true
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question()
    } catch (error) {
      throw this.#wasConnected && hasCode(error, 'oauth/login-required')
        ? sessionOver(this.#options.instanceId, { isRevoked: !this.isExpired(), cause: error })
        : error
    }
  }
}
