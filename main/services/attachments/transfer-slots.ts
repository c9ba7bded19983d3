interface SlotRequest {
  readonly signal: AbortSignal
  readonly start: () => void
}

/** Limits how many transfers run at a time, and gives free slots in the order in which they are requested. */
export class TransferSlots {
  readonly #queue: SlotRequest[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  /** Calls `start` when a slot is free, at once if one is; never after the signal aborts. */
  request(signal: AbortSignal, start: () => void): void {
    this.#queue.push({ signal, start })
    this.#next()
  }

  release(): void {
    this.#free += 1
    this.#next()
  }

  #next(): void {
    while (this.#free > 0) {
      const request = this.#queue.shift()
      if (request === undefined) return
      if (request.signal.aborted) continue
      this.#free -= 1
      request.start()
    }
  }
}
