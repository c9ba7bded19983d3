import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './page.module.css'

/** A view with nothing in it yet: what will be here, and how it comes. */
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
