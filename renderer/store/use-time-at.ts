import { useEffect, useState } from 'react'

/** Longest timer, in milliseconds. Timers stop while a computer sleeps, so a longer one could be late by days. */
const maxTimerMs = 60 * 60_000

/**
 * Returns the time of the last change of what is shown, in ms since the epoch. `changesAt` returns the next change
 * after a given time; undefined for never. Sets one timer, and none if nothing changes. The time is also updated when
 * the window becomes visible.
 */
export function useTimeAt(changesAt: (time: number) => number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const next = changesAt(now)
  useEffect(() => {
    if (next === undefined) return undefined
    const look = () => {
      setNow(Date.now())
    }
    const timer = setTimeout(look, Math.min(maxTimerMs, Math.max(0, next - Date.now())))
    window.addEventListener('focus', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', look)
    }
  }, [next, now])
  return now
}
