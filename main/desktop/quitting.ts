export interface QuittingOptions {
  /** Returns the number of transfers that quitting would cancel. */
  readonly underWay: () => number
  /** Asks the user; resolves with true to quit. The signal closes the question. */
  readonly ask: (underWay: number, signal: AbortSignal) => Promise<boolean>
  readonly quit: () => void
  /** Called if the user keeps the app open. */
  readonly onKept: () => void
  readonly onDefect: (error: unknown) => void
}

/**
 * Asks before quitting cancels transfers, but not at the end of the system's session, when nobody may be there to answer.
 */
export class Quitting {
  readonly #options: QuittingOptions
  /** Closes the open question. */
  #asking: AbortController | undefined
  /** True once quitting needs no question. */
  #settled = false

  constructor(options: QuittingOptions) {
    this.#options = options
  }

  /** True if quitting now would ask the user first. */
  get asksFirst(): boolean {
    return !this.#settled && this.#options.underWay() > 0
  }

  /** Handles a request to quit. Returns true to keep the app open while the user is asked. */
  holdsBack(): boolean {
    if (this.#settled) return false
    if (this.#asking !== undefined) return true
    if (!this.asksFirst) return false
    this.#asking = new AbortController()
    void this.#ask(this.#asking.signal)
    return true
  }

  /** Quits without a question, because the system's session ends. */
  sessionEnds(): void {
    this.#settled = true
    this.#asking?.abort()
    this.#options.quit()
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { underWay, ask, quit, onKept, onDefect } = this.#options
    const agreed = await ask(underWay(), signal).catch((error: unknown) => {
      onDefect(error)
      // If the question fails, the app quits.
      return true
    })
    this.#asking = undefined
    if (this.#settled) return
    if (!agreed) {
      onKept()
      return
    }
    this.#settled = true
    quit()
  }
}
