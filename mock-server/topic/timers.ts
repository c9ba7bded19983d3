/** Runs callbacks after a real delay; injected so that tests control it. */
export interface Timers {
  /** Returns a function that cancels the callback. */
  after(milliseconds: number, run: () => void): () => void
}

/** Timers of this process; they do not keep it alive. */
export const systemTimers: Timers = {
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref()
    return () => {
      clearTimeout(timer)
    }
  },
}
