import { useEffect } from 'react'
import { focusArrival } from './focus-arrival'

/**
 * Keeps the focus on the page: when the focused element disappears, such as a button that did its work, the nearest
 * element around it gets the focus, so that Tab continues there. An element that was only disabled for a while gets
 * the focus back.
 */
export function useFocusRecovery(): void {
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
  /** A click outside every control removes the focus on purpose. */
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
    // By the next frame, code that moves the focus on purpose has done so.
    if (frame === 0) frame = requestAnimationFrame(look)
  }

  const observer = new MutationObserver(lookSoon)
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled', 'hidden'] })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', forget)
  // The element that was focused by the first render.
  remember(document.activeElement)
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', forget)
  }
}

/** Returns what can take the focus of a removed element, the nearest first. */
function ancestors(element: Element): Element[] {
  // From the stage, the next step is the view's.
  const nearest = element.parentElement?.closest('li, form, article, section:not([data-tone]), main')
  return nearest === undefined || nearest === null ? [] : [nearest, ...ancestors(nearest)]
}

function isDrawn(element: Element): boolean {
  return element.getClientRects().length > 0
}

function focus(element: Element | undefined): void {
  if (!(element instanceof HTMLElement)) return
  if (element.tagName === 'MAIN') {
    focusArrival(element)
    return
  }
  if (element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
}
