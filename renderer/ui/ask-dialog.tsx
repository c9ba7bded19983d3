import { Button } from '@mantine/core'
import { useEffect, useId, useRef, type ReactNode, type RefObject } from 'react'
import styles from './dialog.module.css'

/** A dialog over the view with a title and any content. Escape closes it, and gives the focus back to where it was. */
export function Dialog({
  title,
  close,
  onClose,
  ref,
  atTop,
  children,
}: {
  readonly title: string
  /** Label of a button that closes it, where the content has none: not everybody has a keyboard at hand. */
  readonly close?: string
  readonly onClose: () => void
  readonly ref?: RefObject<HTMLDialogElement | null>
  /** Keeps its top in place while its height changes. */
  readonly atTop?: true
  readonly children: ReactNode
}): ReactNode {
  const own = useRef<HTMLDialogElement>(null)
  const dialog = ref ?? own
  const titleId = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [dialog])
  return (
    <dialog
      ref={dialog}
      data-at-top={atTop}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
      {close !== undefined && (
        <div className={styles.buttons}>
          <Button
            variant="default"
            onClick={() => {
              dialog.current?.close()
            }}
          >
            {close}
          </Button>
        </div>
      )}
    </dialog>
  )
}

/** Asks before something that has consequences. */
export function AskDialog({
  question,
  confirm,
  keep,
  danger,
  onAnswer,
}: {
  readonly question: string
  readonly confirm: string
  /** Confirming takes something away. */
  readonly danger?: true
  /** Leaves everything as it is; has the focus. */
  readonly keep: string
  readonly onAnswer: (confirmed: boolean) => void
}): ReactNode {
  return (
    <Dialog
      title={question}
      onClose={() => {
        onAnswer(false)
      }}
    >
      <div className={styles.buttons}>
        <Button
          variant="default"
          onClick={() => {
            onAnswer(false)
          }}
        >
          {keep}
        </Button>
        <Button
          data-danger={danger}
          variant="filled"
          onClick={() => {
            onAnswer(true)
          }}
        >
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
