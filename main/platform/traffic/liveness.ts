/** What a tunnel has carried up to one moment. Both counts only grow; their unit is up to the caller. */
export interface Carried {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** What programs have handed to the tunnel's device, also if nothing of it could be sent. */
  readonly handed: number
  /** What the other end has sent as data, or to confirm data. */
  readonly answered: number
}

/**
 * Judges whether a tunnel lives by what programs want to send and by what comes back. What was sent says nothing: a system that
 * refuses each packet sends none, and so looks as if nobody had anything to send.
 */
export class Liveness {
  /** The counts when something last came back. */
  #last: Carried
  #unansweredSince: number | undefined
  #previous: Carried

  constructor(first: Carried) {
    this.#last = first
    this.#previous = first
  }

  /**
   * Returns `answered` if something has come back since the last time, `doubtful` if something was handed over since then
   * without an answer, and `dead` if that was so for this long.
   */
  add(carried: Carried, silenceMs: number): 'answered' | 'quiet' | 'doubtful' | 'dead' {
    const before = this.#previous
    this.#previous = carried
    if (carried.answered > this.#last.answered) {
      this.#last = carried
      this.#unansweredSince = undefined
      return 'answered'
    }
    // While data flowed, that may have been right after the last answer; after a pause, the first packet may need new keys.
    if (carried.handed > this.#last.handed)
      this.#unansweredSince ??= this.#last === before ? before.now : carried.now
    if (this.#unansweredSince === undefined) return 'quiet'
    // A clock that was set back would give a dead tunnel as much time again.
    this.#unansweredSince = Math.min(this.#unansweredSince, carried.now)
    return carried.now - this.#unansweredSince >= silenceMs ? 'dead' : 'doubtful'
  }

  /** Begins anew, because what was handed over before may have been lost with another network. */
  reset(): void {
    this.#last = this.#previous
    this.#unansweredSince = undefined
  }
}
