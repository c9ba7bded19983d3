import type { CausewayError } from '../errors'

/** The number of failed attempts to reconnect after which the configuration may be out of date. */
const failuresUntilStale = 3

/**
 * Tracks whether a grant may be out of date. Attempts to reconnect that keep failing may mean that the servers' configuration
 * has changed.
 */
export class Freshness {
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
