import { useEffect, useState } from 'react'

/** In milliseconds. While a computer sleeps its timers stand still, so a longer one could be late by days. */
const longestWait = 60 * 60_000

/**
 * The time, in milliseconds since the epoch, as it was at the last change of what is shown: `changesAt` says when the next
 * one is, seen from a given time; undefined for never. One timer, and none where nothing changes; who comes back to the window
 * sees the right time at once.
 */
export function useTimeAt(changesAt: (time: number) => number | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const next = changesAt(now)
  useEffect(() => {
    if (next === undefined) return undefined
    const look = () => {
      setNow(Date.now())
    }
    const timer = setTimeout(look, Math.min(longestWait, Math.max(0, next - Date.now())))
    window.addEventListener('focus', look)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('focus', look)
    }
  }, [next, now])
  return now
}
