import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDownload, IconExternalLink, IconPencil, IconReplace, IconTrash } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem } from '../../../contract/attachments'
import type { ErrorReport } from '../../../contract/error-codes'
import { useAppState, useCommand } from '../../store/context'
import { useFetched } from '../../store/queries'
import { DetailsHead } from '../../ui/browser-view'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { AttachmentFacts } from './attachment-facts'
import { AttachmentIcon, useKind } from './attachment-icon'
import styles from './attachments.module.css'
import { EditForm } from './edit-form'
import type { May } from './may'
import { pendingDeletions } from './use-refresh-after-changes'
import { useStoredFile } from './use-stored-file'
import { useAttachments } from './use-attachments'

/** One attachment with its actions. */
export function AttachmentDetails({
  instanceId,
  item,
  may,
  onDeleted,
}: {
  readonly instanceId: string
  /** The attachment when it was chosen. */
  readonly item: AttachmentItem
  readonly may: May
  readonly onDeleted: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { refresh } = useAttachments()
  const kind = useKind()
  const [editing, { open: edit, close }] = useDisclosure()
  const { attachment, error, isCurrent } = useFresh(instanceId, item)
  const file = useStoredFile(instanceId, attachment, isCurrent)
  const { title, description, status, type } = attachment
  if (editing) {
    return (
      <EditForm
        instanceId={instanceId}
        attachment={attachment}
        onDone={() => {
          close()
          void refresh()
        }}
        onCancel={close}
      />
    )
  }
  return (
    <>
      <DetailsHead
        icon={<AttachmentIcon attachment={attachment} size={28} />}
        title={title.trim() === '' ? t('attachments.untitled') : title}
        text={
          status === 'IN_PROGRESS' ? `${kind(attachment)} · ${t('attachments.uploading')}` : kind(attachment)
        }
      />
      {description !== undefined && description !== '' && (
        <p className={styles.description}>
          <bdi>{description}</bdi>
        </p>
      )}
      {type === 'INTERNAL' && status === 'IN_PROGRESS' && (
        <p className={page.quiet}>{t('attachments.uploadingHint')}</p>
      )}
      {error && <ErrorNote error={error} />}
      <Actions
        instanceId={instanceId}
        attachment={attachment}
        may={may}
        onDeleted={onDeleted}
        onEdit={edit}
      />
      <AttachmentFacts attachment={attachment} file={file} may={may} />
    </>
  )
}

/** Fetches the chosen attachment again. `isCurrent`: the service has answered. */
function useFresh(
  instanceId: string,
  item: AttachmentItem,
): {
  readonly attachment: AttachmentItem
  readonly error: ErrorReport | undefined
  readonly isCurrent: boolean
} {
  const { pages } = useAttachments()
  const input = { instanceId, attachmentId: item.id }
  const { data: shown, error } = useFetched('showAttachment', input, { staleTime: 0, gcTime: 0 })
  const listed = pages.flatMap(({ answer }) => answer.data).find(({ id }) => id === item.id)
  const attachment = shown?.data ?? listed ?? item
  // The service has no details until the file has arrived.
  const isExpected = error?.report.code === 'attachments/not-found' && attachment.status === 'IN_PROGRESS'
  return {
    attachment,
    error: isExpected ? undefined : error?.report,
    isCurrent: shown !== null && shown.cachedAt === undefined && error === null,
  }
}

function Actions({
  instanceId,
  attachment,
  may,
  onDeleted,
  onEdit,
}: {
  readonly instanceId: string
  readonly attachment: AttachmentItem
  readonly may: May
  readonly onDeleted: () => void
  readonly onEdit: () => void
}): ReactNode {
  const { t } = useTranslation()
  const isDeleted = pendingDeletions(useAppState(), instanceId).includes(attachment.id)
  const replacing = useReplaceFile(instanceId, attachment)
  const { id, title, type, status } = attachment
  const one = { instanceId, attachmentId: id }
  return (
    <>
      <div className={styles.buttons}>
        {type === 'EXTERNAL' && (
          <CommandButton
            command="openAttachmentLink"
            input={one}
            variant="filled"
            leftSection={<IconExternalLink size={16} aria-hidden />}
          >
            {t('attachments.act.open')}
          </CommandButton>
        )}
        {type === 'INTERNAL' && status === 'COMPLETED' && (
          <CommandButton
            command="downloadAttachment"
            input={one}
            variant="filled"
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('attachments.act.download')}
          </CommandButton>
        )}
        {may.change(attachment) && (
          <>
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
              {t('attachments.act.edit')}
            </Button>
            {type === 'INTERNAL' && (
              <Button
                variant="default"
                leftSection={<IconReplace size={16} aria-hidden />}
                loading={replacing.isPending}
                onClick={() => void replacing.run()}
              >
                {t('attachments.act.replace')}
              </Button>
            )}
            <CommandButton
              command="deleteAttachment"
              data-danger
              input={{ ...one, title }}
              leftSection={<IconTrash size={16} aria-hidden />}
              disabled={isDeleted}
              onDone={onDeleted}
            >
              {t('attachments.act.delete')}
            </CommandButton>
          </>
        )}
      </div>
      {!may.change(attachment) && <p className={page.quiet}>{t('attachments.act.notYours')}</p>}
      {replacing.errors.map((error, index) => (
        <ErrorNote key={index} error={error} />
      ))}
    </>
  )
}

/** Returns what asks for a file and puts it in the place of an attachment's. */
function useReplaceFile(
  instanceId: string,
  { id, title }: AttachmentItem,
): {
  readonly run: () => Promise<void>
  readonly isPending: boolean
  readonly errors: readonly ErrorReport[]
} {
  const choose = useCommand('chooseFiles')
  const replace = useCommand('replaceAttachmentFile')
  const [refusal, setRefusal] = useState<ErrorReport>()
  return {
    isPending: choose.pending || replace.pending,
    errors: [choose.error ?? replace.error, refusal].filter((error) => error !== undefined),
    async run() {
      const answer = await choose.run({ several: false })
      setRefusal(answer.ok ? answer.value.refused[0]?.error : undefined)
      const file = answer.ok ? answer.value.files[0] : undefined
      if (file !== undefined) await replace.run({ instanceId, attachmentId: id, title, fileId: file.fileId })
    },
  }
}
