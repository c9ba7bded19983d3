import { useLayoutEffect, useRef, type MouseEvent } from 'react'

/** After a change of a button, clicks for so many milliseconds were meant for what it did before. */
const settlingMs = 400

/**
 * Returns a handler for clicks on a button whose meaning may change under the pointer. `meaning` names what it does now. Second
 * clicks of a double click do nothing, and neither do clicks shortly after a change.
 */
export function useSteadyClick(meaning: string, act: () => void): (event: MouseEvent) => void {
  const changed = useRef({ meaning, at: -Infinity })
  useLayoutEffect(() => {
    if (changed.current.meaning !== meaning) changed.current = { meaning, at: performance.now() }
  }, [meaning])
  return ({ detail }) => {
    // Keys make clicks without a count; a hand on the keyboard aims at nothing that moves.
    if (detail > 1 || (detail === 1 && performance.now() - changed.current.at < settlingMs)) return
    act()
  }
}
