/** The time and timers of a session; tests have their own. */
export interface Clock {
  now(): number
  /** Calls back after this time, unless the returned function is called before. */
  after(milliseconds: number, work: () => void): () => void
}

/** The clock of this computer. */
export const realClock: Clock = {
  now: Date.now,
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => {
      clearTimeout(timer)
    }
  },
}
