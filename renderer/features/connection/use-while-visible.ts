import { useEffect, useEffectEvent } from 'react'

/**
 * Calls `begin` while the window is visible, and the function that it returned when the window is minimised or
 * hidden, when `wanted` becomes false, and when the component unmounts.
 */
export function useWhileVisible(begin: () => () => void, wanted = true): void {
  const start = useEffectEvent(begin)
  useEffect(() => {
    if (!wanted) return undefined
    let end: (() => void) | undefined
    const look = (): void => {
      if (!document.hidden) {
        end ??= start()
        return
      }
      end?.()
      end = undefined
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      document.removeEventListener('visibilitychange', look)
      end?.()
    }
  }, [wanted])
}
