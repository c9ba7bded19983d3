export interface QuittingOptions {
  /** How many uploads and downloads would be cancelled by it. */
  readonly underWay: () => number
  /** Asks the person; true where the app is to end all the same. The signal takes the question away. */
  readonly ask: (underWay: number, signal: AbortSignal) => Promise<boolean>
  readonly quit: () => void
  readonly onDefect: (error: unknown) => void
}

/**
 * Asks before the app ends with files on their way, which nobody could take up again. Not at the end of the system's
 * session: nobody may be there to answer, and it would wait.
 */
export class Quitting {
  readonly #options: QuittingOptions
  /** Of the question that is being asked. */
  #asking: AbortController | undefined
  /** Nothing is asked any more. */
  #settled = false

  constructor(options: QuittingOptions) {
    this.#options = options
  }

  /** Whether ending now would cancel something, and has not been agreed to. */
  get asksFirst(): boolean {
    return !this.#settled && this.#options.underWay() > 0
  }

  /** To be called when the app is to end. True where it stays for now: the person is asked, and `quit` may follow. */
  holdsBack(): boolean {
    if (this.#settled) return false
    if (this.#asking !== undefined) return true
    if (!this.asksFirst) return false
    this.#asking = new AbortController()
    void this.#ask(this.#asking.signal)
    return true
  }

  /** The session of the system ends, and the app with it. */
  sessionEnds(): void {
    this.#settled = true
    this.#asking?.abort()
    this.#options.quit()
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { underWay, ask, quit, onDefect } = this.#options
    const agreed = await ask(underWay(), signal).catch((error: unknown) => {
      onDefect(error)
      // Who cannot be asked must not be kept from ending it.
      return true
    })
    this.#asking = undefined
    if (this.#settled || !agreed) return
    this.#settled = true
    quit()
  }
}
