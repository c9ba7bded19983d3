import { useEffect, useState, type ReactNode } from 'react'
import { formatDuration } from './duration'

/** The time since a moment (ms since the epoch). It ticks for the eyes only: a screen reader would read it every second. */
export function Duration({ since }: { readonly since: number }): ReactNode {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
    }, 1000)
    return () => {
      clearInterval(timer)
    }
  }, [])
  return (
    <span role="timer" aria-live="off">
      {formatDuration(now - since)}
    </span>
  )
}
