import { useEffect } from 'react'

/**
 * Never leaves the keyboard nowhere: when what has the focus goes away, as a button that did its work, what stands around
 * it gets the focus, and the next Tab goes on from there. What was only disabled for a while gets the focus back.
 */
export function useKeptFocus(): void {
  useEffect(() => keepFocus(), [])
}

function keepFocus(): () => void {
  let last: Element | undefined
  let around: readonly Element[] = []
  let frame = 0

  const remember = (target: EventTarget | null): void => {
    if (!(target instanceof Element) || target === document.body) return
    last = target
    around = ancestors(target)
  }
  const onFocus = (event: FocusEvent): void => {
    remember(event.target)
  }
  /** A click beside everything is meant to leave it. */
  const forget = (): void => {
    last = undefined
  }
  const look = (): void => {
    frame = 0
    if (last === undefined || document.activeElement !== document.body) return
    if (last.isConnected && !last.matches(':disabled') && isDrawn(last)) focus(last)
    else if (!last.isConnected || !isDrawn(last))
      focus(around.find((each) => each.isConnected && isDrawn(each)))
  }
  const lookSoon = (): void => {
    // Whoever takes the focus on purpose has done so by then.
    if (frame === 0) frame = requestAnimationFrame(look)
  }

  const observer = new MutationObserver(lookSoon)
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden'] })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', forget)
  // What took it while it was drawn for the first time.
  remember(document.activeElement)
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', forget)
  }
}

/** What can stand for an element that is gone, the nearest first. */
function ancestors(element: Element): Element[] {
  const nearest = element.parentElement?.closest('li, form, article, section, main')
  return nearest === undefined || nearest === null ? [] : [nearest, ...ancestors(nearest)]
}

function isDrawn(element: Element): boolean {
  return element.getClientRects().length > 0
}

function focus(element: Element | undefined): void {
  if (!(element instanceof HTMLElement)) return
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
}
