import { Button } from '@mantine/core'
import { useEffect, useId, useRef, type ReactNode } from 'react'
import styles from './dialog.module.css'

/** A dialog over the view with a title and any content. Escape closes it, and gives the focus back to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  )
}

/** Asks before something that has consequences. */
export function AskDialog({
  question,
  confirm,
  keep,
  onAnswer,
}: {
  readonly question: string
  readonly confirm: string
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
