import { Button } from '@mantine/core'
import type { KeyboardEvent, ReactNode } from 'react'
import type { ErrorReport } from '../../contract/error-codes'
import styles from './command-form.module.css'
import { ErrorNote } from './error-note'

/**
 * A form that runs a command: its fields, the error of the command, and the buttons. Submitting it again while the
 * command runs does nothing. Without a command, such as for a filter, it only submits its fields.
 */
export function CommandForm({
  title,
  label,
  command,
  isReady = true,
  fieldError = false,
  submit,
  variant = 'filled',
  danger,
  cancel,
  buttons,
  inline = false,
  onSubmit,
  onKeyDown,
  children,
}: {
  readonly title?: string
  /** Accessible name of a form without a title. */
  readonly label?: string
  readonly command?: { readonly pending: boolean; readonly error: ErrorReport | undefined }
  /** False while a required field is empty. */
  readonly isReady?: boolean
  /** A field shows the error. */
  readonly fieldError?: boolean
  /** Label of the button; undefined if the form can't be submitted. */
  readonly submit: string | undefined
  readonly variant?: 'filled' | 'default'
  /** Submitting takes something away. */
  readonly danger?: true
  readonly cancel?: { readonly label: string; readonly run: () => void }
  /** Further buttons. */
  readonly buttons?: ReactNode
  /** With the buttons on the line of the fields. */
  readonly inline?: boolean
  readonly onSubmit: () => unknown
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly children: ReactNode
}): ReactNode {
  const { pending = false, error } = command ?? {}
  const note = error && !fieldError && <ErrorNote error={error} />
  const row = submit !== undefined && (
    <div className={styles.buttons}>
      <Button type="submit" data-danger={danger} variant={variant} loading={pending} disabled={!isReady}>
        {submit}
      </Button>
      {cancel && (
        <Button variant="default" onClick={cancel.run}>
          {cancel.label}
        </Button>
      )}
      {buttons}
    </div>
  )
  return (
    <form
      aria-label={label}
      className={styles.form}
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !pending) onSubmit()
      }}
    >
      {title !== undefined && (
        <h2>
          <bdi>{title}</bdi>
        </h2>
      )}
      {inline ? (
        <>
          <div className={styles.line}>
            {children}
            {row}
          </div>
          {note}
        </>
      ) : (
        <>
          {children}
          {note}
          {row}
        </>
      )}
    </form>
  )
}
