import type { ReactNode } from 'react'
import type { ErrorReport } from '../../contract/error-codes'
import styles from './page.module.css'

/** Replaces the window if main's state can't be read. In English, because the texts are part of that state. */
export function NoState({ error }: { readonly error: ErrorReport }): ReactNode {
  return (
    <main role="alert" className={styles.column}>
      <h1>The window cannot be shown</h1>
      <p>Your connection is not affected. Quit Causeway and start it again.</p>
      <p className={styles.quiet}>Code: {error.code}</p>
    </main>
  )
}
