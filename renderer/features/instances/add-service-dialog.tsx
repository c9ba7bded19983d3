import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBridge } from '../../store/context'
import { Dialog } from '../../ui/ask-dialog'
import { loadedLater } from '../../ui/loaded-later'

const FindService = loadedLater(async () => (await import('./find-service')).FindService)

/** Asks for another service, over the view, and signs in to it. Escape closes it. */
export function AddServiceDialog({
  onClose,
}: {
  /** Called with the id of the instance that was added, or undefined where none was. */
  readonly onClose: (instanceId?: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const bridge = useBridge()
  const dialog = useRef<HTMLDialogElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [isExact, setExact] = useState(false)
  useEffect(() => {
    field.current?.focus()
  }, [])
  return (
    <Dialog
      ref={dialog}
      title={t('instance.addService')}
      atTop
      onClose={() => {
        onClose()
      }}
    >
      <FindService
        field={field}
        isExact={isExact}
        onExact={setExact}
        onAdded={(instanceId) => {
          // Closed meanwhile: the service is in the list, to sign in to later.
          if (dialog.current?.open !== true) return
          void bridge.run('logIn', { instanceId })
          onClose(instanceId)
        }}
        onCancel={() => {
          // Closing it gives the focus back to where it was.
          dialog.current?.close()
        }}
      />
    </Dialog>
  )
}
