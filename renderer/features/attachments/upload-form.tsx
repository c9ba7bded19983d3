import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChosenFile, ChosenFiles } from '../../../contract/attachments'
import { useCommand } from '../../store/context'
import { CommandForm } from '../../ui/command-form'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { TextField } from '../../ui/text-field'
import { bytesText } from './amounts'
import styles from './attachments.module.css'
import { TextFields, textsOf, untyped } from './text-fields'
import { useAttachments } from './use-attachments'

/** Form that names the chosen files and starts their uploads. */
export function UploadForm({
  instanceId,
  chosen,
  onChooseMore,
  onDone,
}: {
  readonly instanceId: string
  readonly chosen: ChosenFiles
  readonly onChooseMore: () => void
  readonly onDone: () => void
}): ReactNode {
  const { t } = useTranslation()
  const { choose } = useAttachments()
  /** Titles that the user has typed, by file id. */
  const [titles, setTitles] = useState<ReadonlyMap<string, string>>(new Map())
  const [typed, setTyped] = useState(untyped)
  const upload = useCommand('uploadFiles')
  const { files, refused } = chosen
  const titleOf = ({ fileId, title }: ChosenFile): string => titles.get(fileId) ?? title

  async function submit(): Promise<void> {
    const result = await upload.run({
      instanceId,
      files: files.map((file) => ({
        ...textsOf(typed),
        fileId: file.fileId,
        title: titleOf(file).trim(),
      })),
    })
    if (result.ok) onDone()
  }

  return (
    <CommandForm
      title={files.length > 1 ? t('attachments.add.newFiles') : t('attachments.add.newFile')}
      command={upload}
      isReady={files.length > 0 && files.every((file) => titleOf(file).trim() !== '')}
      submit={t('attachments.add.upload')}
      cancel={{ label: t('attachments.add.cancel'), run: onDone }}
      onSubmit={submit}
    >
      <ul className={styles.chosenFiles}>
        {files.map((file) => (
          <ChosenRow
            key={file.fileId}
            file={file}
            title={titleOf(file)}
            onTitle={(title) => {
              setTitles(new Map(titles).set(file.fileId, title))
            }}
            onLeaveOut={() => {
              choose({
                kind: 'upload',
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
      <TextFields names={['description', 'videos', 'modules']} typed={typed} onType={setTyped} />
    </CommandForm>
  )
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
