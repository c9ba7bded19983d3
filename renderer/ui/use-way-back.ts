import { useRef } from 'react'

/** The way back of the focus, from details to what opened them. */
export interface WayBack {
  from(element: HTMLElement): void
  go(): void
}

/** Remembers what opened the details. It gets the focus when it can be seen again: until then they may cover it. */
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
