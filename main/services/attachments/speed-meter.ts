import type { TransferProgress } from './transfer'

/** Time constant of the smoothing in milliseconds. */
const smoothingMs = 3000
const shortestStepMs = 200

/** Measures the transfer speed, smoothed so that the remaining time does not jump. */
export class SpeedMeter {
  #bytes: number
  #at: number
  #perMs: number | undefined

  /** Starts at `now`, in milliseconds, with `bytes` already transferred. */
  constructor(now: number, bytes = 0) {
    this.#at = now
    this.#bytes = bytes
  }

  progress(bytes: number, totalBytes: number | undefined, now: number): TransferProgress {
    const elapsed = now - this.#at
    if (elapsed >= shortestStepMs) {
      const current = Math.max(0, bytes - this.#bytes) / elapsed
      const weight = 1 - Math.exp(-elapsed / smoothingMs)
      this.#perMs = this.#perMs === undefined ? current : this.#perMs + weight * (current - this.#perMs)
      this.#at = now
      this.#bytes = bytes
    }
    const perSecond = this.#perMs === undefined ? undefined : this.#perMs * 1000
    return {
      bytes,
      totalBytes,
      bytesPerSecond: perSecond && Math.round(perSecond),
      secondsLeft:
        perSecond === undefined || perSecond < 1 || totalBytes === undefined
          ? undefined
          : Math.ceil(Math.max(0, totalBytes - bytes) / perSecond),
    }
  }
}
