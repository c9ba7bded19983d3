import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ErrorReport } from '../../contract/error-codes'
import { ErrorNote } from './error-note'
import styles from './question.module.css'

/** Asks for confirmation of something that can't be undone; `error` is why it failed. */
export function Question({
  question,
  error,
  confirm,
  keep,
  pending,
  onConfirm,
  onKeep,
}: {
  readonly question: string
  readonly error: ErrorReport | undefined
  /** Label of the button that confirms. */
  readonly confirm: string
  readonly keep: string
  readonly pending: boolean
  readonly onConfirm: () => void
  readonly onKeep: () => void
}): ReactNode {
  return (
    <div className={styles.question}>
      <p>{question}</p>
      {error && <ErrorNote error={error} />}
      <div className={styles.buttons}>
        <Button data-danger variant="filled" loading={pending} onClick={onConfirm}>
          <span className={styles.confirm}>{confirm}</span>
        </Button>
        <Button variant="default" disabled={pending} onClick={onKeep}>
          {keep}
        </Button>
      </div>
    </div>
  )
}
