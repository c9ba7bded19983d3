/** Runs something once after a real time; passed in so that tests decide when it has passed. */
export interface Timers {
  /** Returns what takes it back. */
  after(milliseconds: number, run: () => void): () => void
}

/** The timers of this process; they do not keep it alive. */
export const systemTimers: Timers = {
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref()
    return () => {
      clearTimeout(timer)
    }
  },
}
