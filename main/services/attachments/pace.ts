import type { TransferProgress } from './transfer'

/** How long a change of the speed takes to show, in milliseconds. */
const smoothingMs = 3000
const shortestStepMs = 200

/** How fast bytes move, smoothed, so that what is left of the time does not jump about. */
export class Pace {
  #bytes: number
  #at: number
  #perMs: number | undefined

  /** `now` in milliseconds; `bytes` were there already. */
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
      ...(totalBytes === undefined ? {} : { totalBytes }),
      ...(perSecond === undefined ? {} : { bytesPerSecond: Math.round(perSecond) }),
      ...(perSecond === undefined || perSecond < 1 || totalBytes === undefined
        ? {}
        : { secondsLeft: Math.ceil(Math.max(0, totalBytes - bytes) / perSecond) }),
    }
  }
}
