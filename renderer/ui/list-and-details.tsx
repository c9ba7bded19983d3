import type { ReactNode } from 'react'
import styles from './list-and-details.module.css'

/**
 * A list with the details of one of its things: beside it in a wide window, over it in a narrow one, where the way back is up to
 * the details; Escape is one. `hint` stands in the place of the details in a wide window while nothing is chosen. Takes the height that is left.
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
