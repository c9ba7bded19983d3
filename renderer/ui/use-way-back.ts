import { useRef } from 'react'

/** Returns the focus from details to what opened them. */
export interface WayBack {
  from(element: HTMLElement): void
  go(): void
}

/** Remembers what opened the details, and focuses it once it is visible again: the details may have covered it. */
export function useWayBack(): WayBack {
  const opener = useRef<HTMLElement>(null)
  return {
    from(element) {
      opener.current = element
    },
    go() {
      const back = opener.current
      if (back === null) return
      requestAnimationFrame(() => {
        back.focus()
      })
    },
  }
}
