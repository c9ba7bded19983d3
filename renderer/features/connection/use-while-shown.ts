import { useEffect, useLayoutEffect, useRef } from 'react'

const everyMs = 1000

/**
 * Does this work now and then once a second, one time after another, as long as the window can be seen; never while it is
 * minimised or hidden, nor while it is not `wanted`.
 */
export function useWhileShown(work: () => Promise<unknown>, wanted = true): void {
  const latest = useRef(work)
  useLayoutEffect(() => {
    latest.current = work
  })
  useEffect(() => {
    if (!wanted) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    let working = false
    let over = false
    const step = (): void => {
      timer = undefined
      if (over || working || document.hidden) return
      working = true
      const began = performance.now()
      void latest.current().finally(() => {
        working = false
        if (!over) timer = setTimeout(step, Math.max(0, everyMs - (performance.now() - began)))
      })
    }
    const seenAgain = (): void => {
      if (timer === undefined) step()
    }
    step()
    document.addEventListener('visibilitychange', seenAgain)
    return () => {
      over = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', seenAgain)
    }
  }, [wanted])
}
