import { useEffect } from 'react'

/** Things that a shortcut asks the view in front to do. */
export type WindowAction = 'search' | 'addService'

const actions = new EventTarget()

/** Asks for an action; where no component on the page offers it, nothing happens. */
export function askFor(action: WindowAction): void {
  actions.dispatchEvent(new Event(action))
}

/** Offers an action while the component is on the page. */
export function useWindowAction(action: WindowAction, act: () => void): void {
  useEffect(() => {
    actions.addEventListener(action, act)
    return () => {
      actions.removeEventListener(action, act)
    }
  })
}
