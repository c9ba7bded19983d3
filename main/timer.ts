/** Runs work once after a time, or at intervals; returns a function that stops it. */
export type Timer = (milliseconds: number, work: () => void) => () => void

/** A timer that doesn't keep the process running. */
export const after: Timer = (milliseconds, work) => {
  const timer = setTimeout(work, milliseconds).unref()
  return () => {
    clearTimeout(timer)
  }
}

/** A timer at intervals that doesn't keep the process running. */
export const every: Timer = (milliseconds, work) => {
  const timer = setInterval(work, milliseconds).unref()
  return () => {
    clearInterval(timer)
  }
}
