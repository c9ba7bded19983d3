import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AddInstance } from './add-instance'
import styles from './instances.module.css'

/** Asks for the address of another service, over the view. Escape closes it. */
export function AddServiceDialog({
  onClose,
}: {
  /** Called with the id of the instance that was added, or undefined where none was. */
  readonly onClose: (instanceId?: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={() => {
        onClose()
      }}
    >
      <h2 id={titleId}>{t('instance.addService')}</h2>
      <AddInstance
        onDone={(instanceId) => {
          // Closing it gives the focus back to where it was.
          if (instanceId === undefined) dialog.current?.close()
          else onClose(instanceId)
        }}
      />
    </dialog>
  )
}
