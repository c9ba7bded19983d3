import { useLayoutEffect, useRef } from 'react'
import { useAppState } from './context'
import { useForget } from './window-store'

/**
 * Drops what was fetched from a service, and chosen in its views, when somebody signs in or out there or it is removed, as main does
 * with its saved answers: the next person must not see it.
 */
export function useForgottenServices(): void {
  const { instances } = useAppState()
  const forget = useForget()
  const before = useRef(instances)
  // Before the page is painted.
  useLayoutEffect(() => {
    const gone = before.current.filter(
      ({ id, person }) => !instances.some((each) => each.id === id && each.person === person),
    )
    before.current = instances
    for (const { id } of gone) forget(id)
  })
}
