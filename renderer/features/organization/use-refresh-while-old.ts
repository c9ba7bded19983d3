import { useEffect } from 'react'
import { useOrganization } from './use-organization'

/** How often a service that could not be reached is asked again while what it said last is looked at. */
const againMs = 10_000

/** Has an organization fetched anew now and then while what is shown of it is old. */
export function useRefreshWhileOld(): void {
  const { store, browsing } = useOrganization()
  const isOld = browsing.seenAt !== undefined
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => void store.refresh(), againMs)
    return () => {
      clearInterval(timer)
    }
  }, [store, isOld])
}
