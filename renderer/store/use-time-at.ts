import { useEffect, useState } from 'react'

/** Longest timer, in milliseconds. Timers stop while a computer sleeps: a longer one would be late by what is left of it. */
const maxTimerMs = 60_000

/**
 * Returns the time of the last change of what is shown, in ms since the epoch. `changesAt` returns the next change
 * after a given time; undefined for never. Has one timer at a time, and none if nothing changes. The time is also updated
 * when the window gets the focus.
 */
export function useTimeAt(changesAt: (time: number) => number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const next = changesAt(now)
  useEffect(() => {
    if (next === undefined) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      setNow(Date.now())
    }
    const wait = () => {
      timer = setTimeout(
        () => {
          const time = Date.now()
          // The clock may have been set back.
          if (time < now || time >= next) look()
          else wait()
        },
        Math.min(maxTimerMs, Math.max(0, next - Date.now())),
      )
    }
    wait()
    window.addEventListener('focus', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', look)
    }
  }, [next, now])
  return now
}
