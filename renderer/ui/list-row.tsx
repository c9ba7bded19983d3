import type { ReactNode } from 'react'
import styles from './list-row.module.css'

/** Height of a row, in CSS pixels. */
export const rowHeight = 60

/** Row of a virtual list that opens its item. Without hooks: many rows are mounted at once while the list scrolls. */
export function ListRow({
  icon,
  title,
  about,
  end,
  isChosen,
  isDeleted = false,
  onOpen,
}: {
  readonly icon: ReactNode
  readonly title: string
  readonly about: string
  /** Text at the end of the row. */
  readonly end?: string
  readonly isChosen: boolean
  readonly isDeleted?: boolean
  readonly onOpen: () => void
}): ReactNode {
  return (
    <button
      type="button"
      data-row-control
      className={styles.row}
      data-deleted={isDeleted || undefined}
      aria-current={isChosen ? 'true' : undefined}
      onClick={onOpen}
    >
      {icon}
      <span className={styles.text}>
        <bdi className={styles.title}>{title}</bdi>
        <bdi className={styles.about}>{about}</bdi>
      </span>
      {end !== undefined && <span className={styles.end}>{end}</span>}
    </button>
  )
}
