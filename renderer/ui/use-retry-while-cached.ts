import { useEffect, useEffectEvent } from 'react'

/** Interval of retries, in milliseconds, while cached data of an unreachable service is visible. */
export const retryWhileCachedMs = 10_000

/** Calls `again` periodically while the data is from the cache. */
export function useRetryWhileCached(isOld: boolean, again: () => void): void {
  const fetchAgain = useEffectEvent(again)
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => {
      fetchAgain()
    }, retryWhileCachedMs)
    return () => {
      clearInterval(timer)
    }
  }, [isOld])
}
