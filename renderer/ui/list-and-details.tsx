import type { ReactNode } from 'react'
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
