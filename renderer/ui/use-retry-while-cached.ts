import { useEffect, useEffectEvent } from 'react'

/** Interval of retries, in milliseconds, while cached data of an unreachable service is visible. */
const againMs = 10_000

/** Calls `again` periodically while the data is from the cache. */
export function useRetryWhileCached(isOld: boolean, again: () => void): void {
  const fetchAgain = useEffectEvent(again)
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => {
      fetchAgain()
    }, againMs)
    return () => {
      clearInterval(timer)
    }
  }, [isOld])
}
