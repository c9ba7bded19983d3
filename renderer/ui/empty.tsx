import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './page.module.css'

/** Placeholder of an empty view: what will be here, and how. */
export function Empty({
  icon: EmptyIcon,
  children,
}: {
  readonly icon: Icon
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className={styles.empty}>
      <EmptyIcon size={32} stroke={1.5} aria-hidden />
      {children}
    </div>
  )
}
