import type { CausewayError } from '../errors'

/** After so many failed attempts to reconnect, the configuration may be out of date. */
const failuresUntilStale = 3

/**
 * Whether what a portal granted may be out of date, by how a tunnel that was up fares: attempts that go on failing may be
 * due to a configuration from before a change of the servers.
 */
export class Freshness {
  /** Since the tunnel was last up or its grant was last asked for anew: its loss, and each attempt that failed. */
  #losses = 0
  /** A handshake failed since the tunnel was last up; `asked` once that was followed up. */
  #failedHandshake: 'none' | 'seen' | 'asked' = 'none'
  /** The server could not prove who it is, which is final unless the portal grants something else now. */
  #unverified: CausewayError | undefined
  /** The portal could not be reached while the tunnel's device and routes were there. */
  isCutOff = false

  get unverified(): CausewayError | undefined {
    return this.#unverified
  }

  /** Whether the portal is to be asked before another attempt. */
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

  /** The portal is being asked; the next time is after as many failures again. */
  asked(): void {
    this.#losses = 1
    if (this.#failedHandshake === 'seen') this.#failedHandshake = 'asked'
    this.#unverified = undefined
  }

  /** The attempts in another network say nothing about this one. */
  inAnotherNetwork(): void {
    this.#losses = Math.min(this.#losses, 1)
    if (this.#failedHandshake === 'seen') this.#failedHandshake = 'none'
    this.isCutOff = false
  }
}
