import { hasCode } from '../errors'
import type { Grant } from '../portal/portal'
import type { GrantedTunnel } from '../tunnel/tunnel'
import { sessionOver } from './session-over'

export interface HeldGrantOptions {
  readonly grant: Grant
  readonly instanceId: string
  readonly signal: AbortSignal
  readonly now: () => Date
  /** Whether a tunnel lacks what the portal grants now. */
  readonly isOutdated: (held: GrantedTunnel, current: GrantedTunnel) => Promise<boolean>
  /** Told before another grant is asked for, where no server has accepted one yet. */
  readonly onRenewing: () => void
}

/** The grant that a connection is built with, until the portal gives another one in its place. */
export class HeldGrant {
  readonly #options: HeldGrantOptions
  #grant: Grant
  /** The credentials are new, and no server has accepted them yet: others would be refused just the same. */
  #isUntried: boolean
  #wasConnected = false

  constructor(options: HeldGrantOptions) {
    this.#options = options
    this.#grant = options.grant
    this.#isUntried = options.grant.isNew
  }

  get tunnel(): GrantedTunnel {
    return this.#grant.tunnel
  }

  /** Whether its time is over, so that no server takes it any more. */
  isOver(): boolean {
    return this.#options.now() >= this.#grant.validUntil
  }

  /** To be called when a server has accepted it. */
  connected(): void {
    this.#isUntried = false
    this.#wasConnected = true
  }

  /**
   * Gets new credentials; false where those at hand are new and have not been accepted yet. Throws what the portal decides,
   * or why it could not be asked.
   */
  async renew(): Promise<boolean> {
    const { onRenewing, signal } = this.#options
    if (this.#isUntried) return false
    if (!this.#wasConnected) onRenewing()
    this.#replace(await this.#ask(() => this.#grant.renew(signal)))
    return true
  }

  /**
   * Asks the portal about the credentials at hand, which a server refused though it knows them, and gets others where the
   * portal does not accept them: `refused` where those are new. Throws as `renew` does.
   */
  async check(): Promise<'accepted' | 'replaced' | 'refused'> {
    const accepted = await this.#ask(() => this.#grant.check(this.#options.signal))
    if (accepted === undefined) return (await this.renew()) ? 'replaced' : 'refused'
    if (accepted === this.#grant) return 'accepted'
    // Another process has got it meanwhile.
    this.#replace(accepted)
    return 'replaced'
  }

  /** Asks for the same grant anew, without a login; true where the tunnel is another one now. Throws as `renew` does. */
  async refresh(): Promise<boolean> {
    const held = this.#grant.tunnel
    await this.check()
    const current = await this.#ask(() => this.#grant.refresh(this.#options.signal))
    const isOutdated = await this.#options.isOutdated(held, current.tunnel)
    if (isOutdated) this.#grant = current
    return isOutdated
  }

  #replace(grant: Grant): void {
    this.#grant = grant
    this.#isUntried = true
  }

  async #ask<T>(question: () => Promise<T>): Promise<T> {
    try {
      return await question()
    } catch (error) {
      throw this.#wasConnected && hasCode(error, 'oauth/login-required')
        ? sessionOver(this.#options.instanceId, error)
        : error
    }
  }
}
