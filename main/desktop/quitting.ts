export interface QuittingOptions {
  /** Returns the number of transfers that quitting would cancel. */
  readonly underWay: () => number
  /** Asks the user; resolves with true to quit. The signal closes the question. */
  readonly ask: (underWay: number, signal: AbortSignal) => Promise<boolean>
  readonly quit: () => void
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
    void this.agrees().then((agreed) => {
      if (agreed) this.quitAsAgreed()
    })
    return true
  }

  /**
   * Asks the user, if transfers are under way; resolves with true to quit. Resolves with false, too, while the question is open
   * already, and if the session ends, which quits.
   */
  async agrees(): Promise<boolean> {
    if (this.#settled || this.#asking !== undefined) return false
    if (!this.asksFirst) return true
    const { underWay, ask, onDefect } = this.#options
    const asking = (this.#asking = new AbortController())
    const agreed = await ask(underWay(), asking.signal).catch((error: unknown) => {
      onDefect(error)
      // If the question fails, the app quits.
      return true
    })
    this.#asking = undefined
    return agreed && !this.#settled
  }

  /** Quits without a question, because the user has answered it. */
  quitAsAgreed(): void {
    this.#settled = true
    this.#options.quit()
  }

  /** Quits without a question, because the system's session ends. */
  sessionEnds(): void {
    this.#asking?.abort()
    this.quitAsAgreed()
  }
}
