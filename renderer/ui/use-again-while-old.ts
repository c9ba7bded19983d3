import { useEffect, useRef } from 'react'

/** How often a service that could not be reached is asked again while what it said last is looked at. */
const againMs = 10_000

/** Asks again now and then while what is shown is old. */
export function useAgainWhileOld(isOld: boolean, again: () => void): void {
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
