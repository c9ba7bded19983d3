import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Begins something while the window can be seen, and ends it (with what `begin` returned) when it is minimised or hidden, when it is
 * not `wanted`, and when the component goes.
 */
export function useWhileShown(begin: () => () => void, wanted = true): void {
  const latest = useRef(begin)
  useLayoutEffect(() => {
    latest.current = begin
  })
  useEffect(() => {
    if (!wanted) return undefined
    let end: (() => void) | undefined
    const look = (): void => {
      if (!document.hidden) {
        end ??= latest.current()
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
