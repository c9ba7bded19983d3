import type { ReactNode } from 'react'
import { initials } from './find-users'
import styles from './organization.module.css'

/** Stands for a user; their picture is not fetched. */
export function Avatar({ login }: { readonly login: string }): ReactNode {
  return (
    <span className={styles.avatar} aria-hidden>
      {initials(login)}
    </span>
  )
}
