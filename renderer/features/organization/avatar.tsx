import type { ReactNode } from 'react'
import { initials } from './find-users'
import styles from './organization.module.css'

/** Initials of a user. Pictures aren't fetched. */
export function Avatar({ login }: { readonly login: string }): ReactNode {
  return (
    <span className={styles.avatar} aria-hidden>
      {initials(login)}
    </span>
  )
}
