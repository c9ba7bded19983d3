import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './loading.module.css'

/** Placeholder of a list that is being fetched. */
export function Loading({ label }: { readonly label: string }): ReactNode {
  return (
    <div aria-busy className={styles.loading}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <div className={styles.row} />
      <div className={styles.row} />
    </div>
  )
}
