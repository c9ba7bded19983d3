import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './attachments.module.css'
import { changedTexts, TextFields, typedOf } from './text-fields'

/** Form that edits the texts of an attachment, and the address of a link. */
export function EditForm({
  instanceId,
  attachment,
  onDone,
  onCancel,
}: {
  readonly instanceId: string
  readonly attachment: AttachmentItem
  readonly onDone: () => void
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(typedOf(attachment))
  const edit = useCommand('editAttachment')
  const isLink = attachment.type === 'EXTERNAL'

  async function submit(): Promise<void> {
    const result = await edit.run({
      instanceId,
      attachmentId: attachment.id,
      type: attachment.type,
      ...changedTexts(typed, attachment),
      ...(isLink ? { address: typed.address.trim() } : {}),
    })
    if (result.ok) onDone()
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!edit.pending) void submit()
      }}
    >
      <h2>{t('attachments.act.edit')}</h2>
      <TextFields
        names={['title', ...(isLink ? (['address'] as const) : []), 'description', 'videos', 'modules']}
        typed={typed}
        onType={setTyped}
      />
      {edit.error && <ErrorNote error={edit.error} />}
      <div className={styles.buttons}>
        <Button type="submit" loading={edit.pending} disabled={typed.title.trim() === ''}>
          {t('attachments.add.save')}
        </Button>
        <Button variant="default" onClick={onCancel}>
          {t('attachments.add.cancel')}
        </Button>
      </div>
    </form>
  )
}
