import { useEffect, useRef } from 'react'

/** Interval of retries, in milliseconds, while cached data of an unreachable service is visible. */
const againMs = 10_000

/** Calls `again` periodically while the data is from the cache. */
export function useRetryWhileCached(isOld: boolean, again: () => void): void {
  const latest = useRef(again)
  useEffect(() => {
    latest.current = again
  })
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => {
      latest.current()
    }, againMs)
    return () => {
      clearInterval(timer)
    }
  }, [isOld])
}
