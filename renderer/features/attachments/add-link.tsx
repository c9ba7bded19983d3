import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './attachments.module.css'
import { TextFields, textsOf, untyped } from './text-fields'
import { useAttachments } from './use-attachments'

/** Form that adds a link and then shows it. */
export function AddLink({
  instanceId,
  onCancel,
}: {
  readonly instanceId: string
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { store } = useAttachments()
  const [typed, setTyped] = useState(untyped)
  const add = useCommand('addAttachmentLink')

  async function submit(): Promise<void> {
    const result = await add.run({ instanceId, ...textsOf(typed), address: typed.address.trim() })
    if (!result.ok) return
    store.choose({ kind: 'attachment', item: result.value })
    await store.refresh()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!add.pending) void submit()
      }}
    >
      <h2>{t('attachments.add.newLink')}</h2>
      <TextFields
        names={['title', 'address', 'description', 'videos', 'modules']}
        typed={typed}
        onType={setTyped}
      />
      {add.error && <ErrorNote error={add.error} />}
      <div className={styles.buttons}>
        <Button
          type="submit"
          loading={add.pending}
          disabled={typed.title.trim() === '' || typed.address.trim() === ''}
        >
          {t('attachments.add.save')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('attachments.add.cancel')}
        </Button>
      </div>
    </form>
  )
}
