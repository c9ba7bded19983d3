import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import styles from './list-and-details.module.css'

/**
 * A list with the details of an item: side by side in a wide window, and the details over the list in a narrow one.
 * Escape closes the details, which also have their own button for that. `hint` is shown in place of the details in a
 * wide window while no item is chosen. Takes the remaining height.
 */
export function ListAndDetails({
  list,
  details,
  hint,
  onClose,
}: {
  readonly list: ReactNode
  readonly details: ReactNode | undefined
  readonly hint: ReactNode
  readonly onClose: () => void
}): ReactNode {
  return (
    <div
      className={styles.both}
      data-details={details === undefined ? undefined : true}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && details !== undefined && !event.defaultPrevented) onClose()
      }}
    >
      <div className={styles.list}>{list}</div>
      <div className={styles.details}>{details ?? hint}</div>
    </div>
  )
}

/**
 * Moves the focus to this element of the details (`which`) when they open: if they cover the list, if the focused element
 * is gone, or if they are a form.
 */
export function useFocusOnOpen(
  target: RefObject<HTMLElement | null>,
  which: string,
  { isForm = false }: { readonly isForm?: boolean } = {},
): void {
  useEffect(() => {
    const covers = !window.matchMedia('(width >= 1200px)').matches
    if (isForm || covers || document.activeElement === document.body) target.current?.focus()
  }, [target, which, isForm])
}

/** Remembers what in `view` opened the details (`which`), and focuses it when they close with the focus in them. */
export function useFocusBack(view: RefObject<HTMLDivElement | null>, which: string | undefined): void {
  const opener = useRef<HTMLElement>(null)
  // Before the details take the focus.
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (which === undefined) {
      // Removing the details has removed the focus.
      if (focused === document.body) opener.current?.focus()
    } else if (
      focused instanceof HTMLElement &&
      view.current?.contains(focused) === true &&
      focused.closest(`.${styles.details}`) === null
    ) {
      opener.current = focused
    }
  }, [view, which])
}
