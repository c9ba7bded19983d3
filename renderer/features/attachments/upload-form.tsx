import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChosenFile } from '../../../contract/attachments'
import { CommandForm } from '../../ui/command-form'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { bytesText } from './amounts'
import styles from './attachments.module.css'
import { TextFields, textsOf, untyped } from './text-fields'
import { type Upload, useAttachments, useFormCommand } from './use-attachments'

/** Form that names the chosen files and starts their uploads. */
export function UploadForm({
  instanceId,
  upload,
  onChooseMore,
  onCancel,
}: {
  readonly instanceId: string
  readonly upload: Upload
  readonly onChooseMore: () => void
  readonly onCancel: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { choose, replaceForm } = useAttachments()
  const send = useFormCommand('uploadFiles', upload)
  const {
    chosen: { files, refused },
    typed = untyped,
    titles = {},
  } = upload
  const titleOf = ({ fileId, title }: ChosenFile): string => titles[fileId] ?? title

  async function submit(): Promise<void> {
    const result = await send.run({
      instanceId,
      files: files.map((file) => ({
        ...textsOf(typed),
        fileId: file.fileId,
        title: titleOf(file).trim(),
      })),
    })
    if (result.ok) replaceForm(upload, (latest) => without(files, latest))
  }

  return (
    <CommandForm
      title={files.length > 1 ? t('attachments.add.newFiles') : t('attachments.add.newFile')}
      command={send}
      isReady={files.length > 0 && files.every((file) => titleOf(file).trim() !== '')}
      submit={t('attachments.add.upload')}
      cancel={{ label: t('attachments.add.cancel'), run: onCancel }}
      onSubmit={submit}
    >
      <ul className={styles.chosenFiles}>
        {files.map((file) => (
          <ChosenRow
            key={file.fileId}
            file={file}
            title={titleOf(file)}
            onTitle={(title) => {
              choose({ ...upload, titles: { ...titles, [file.fileId]: title } })
            }}
            onLeaveOut={() => {
              choose({
                ...upload,
                chosen: { refused: [], files: files.filter(({ fileId }) => fileId !== file.fileId) },
              })
            }}
          />
        ))}
      </ul>
      {refused.map(({ name, error }, index) => (
        <div key={index} className={styles.refused}>
          <p>
            <bdi>{t('attachments.add.refused', { name })}</bdi>
          </p>
          <ErrorNote error={error} />
        </div>
      ))}
      <Button variant="default" className={styles.more} onClick={onChooseMore}>
        {t('attachments.add.more')}
      </Button>
      {files.length > 1 && <p className={page.quiet}>{t('attachments.add.common')}</p>}
      <TextFields
        names={['description', 'videos', 'modules']}
        typed={typed}
        onType={(changed) => {
          choose({ ...upload, typed: changed })
        }}
      />
    </CommandForm>
  )
}

/** Returns the form with the files that were added while these were sent, if any. */
function without(sent: readonly ChosenFile[], latest: Upload): Upload | undefined {
  const files = latest.chosen.files.filter((file) => !sent.includes(file))
  return files.length === 0 ? undefined : { ...latest, chosen: { ...latest.chosen, files } }
}

function ChosenRow({
  file: { name, bytes },
  title,
  onTitle,
  onLeaveOut,
}: {
  readonly file: ChosenFile
  readonly title: string
  readonly onTitle: (title: string) => void
  readonly onLeaveOut: () => void
}): ReactNode {
  const { t, i18n } = useTranslation()
  return (
    <li className={styles.chosenFile}>
      <TextField
        className={styles.chosenTitle}
        label={t('attachments.add.titleField')}
        description={
          <>
            <bdi>{name}</bdi> · {bytesText(bytes, i18n.language)}
          </>
        }
        required
        dir="auto"
        value={title}
        maxLength={500}
        onType={onTitle}
      />
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={t('attachments.add.leaveOut', { name })}
        onClick={onLeaveOut}
      >
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </li>
  )
}
