import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { editedText, editedTexts, TextFields, typedOf } from './text-fields'

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
  // It may be fetched again while the person types.
  const [before] = useState(() => typedOf(attachment))
  const [typed, setTyped] = useState(before)
  const edit = useCommand('editAttachment')
  const isLink = attachment.type === 'EXTERNAL'

  async function submit(): Promise<void> {
    const result = await edit.run({
      instanceId,
      attachmentId: attachment.id,
      type: attachment.type,
      ...editedTexts(typed, before, typedOf(attachment)),
      address: isLink ? editedText('address', typed, before, typedOf(attachment)) : undefined,
    })
    if (result.ok) onDone()
  }

  return (
    <CommandForm
      title={t('attachments.act.edit')}
      command={edit}
      isReady={typed.title.trim() !== ''}
      submit={t('attachments.add.save')}
      cancel={{ label: t('attachments.add.cancel'), run: onCancel }}
      onSubmit={submit}
    >
      <TextFields
        names={['title', ...(isLink ? (['address'] as const) : []), 'description', 'videos', 'modules']}
        typed={typed}
        onType={setTyped}
      />
    </CommandForm>
  )
}
