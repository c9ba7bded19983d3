import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandForm } from '../../ui/command-form'
import { TextFields, textsOf, untyped } from './text-fields'
import { type Link, useAttachments, useFormCommand } from './use-attachments'

/** Form that adds a link and then shows it. */
export function AddLink({
  instanceId,
  link,
  onCancel,
}: {
  readonly instanceId: string
  readonly link: Link
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { typed = untyped } = link
  const { choose, replaceForm, refresh } = useAttachments()
  const add = useFormCommand('addAttachmentLink', link)

  async function submit(): Promise<void> {
    const result = await add.run({ instanceId, ...textsOf(typed), address: typed.address.trim() })
    if (!result.ok) return
    replaceForm(link, () => ({ kind: 'attachment', item: result.value }))
    await refresh()
  }

  return (
    <CommandForm
      title={t('attachments.add.newLink')}
      command={add}
      isReady={typed.title.trim() !== '' && typed.address.trim() !== ''}
      submit={t('attachments.add.save')}
      cancel={{ label: t('attachments.add.cancel'), run: onCancel }}
      onSubmit={submit}
    >
      <TextFields
        names={['title', 'address', 'description', 'videos', 'modules']}
        typed={typed}
        onType={(changed) => {
          choose({ ...link, typed: changed })
        }}
      />
    </CommandForm>
  )
}
