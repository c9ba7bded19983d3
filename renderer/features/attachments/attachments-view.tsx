import { Button } from '@mantine/core'
import { IconPaperclip, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem, InstanceSlice } from '../../../preload/contract'
import { useAppState, useCommand } from '../../store/context'
import { Empty } from '../../ui/empty'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import styles from './attachments.module.css'

/** The newest files and links of each instance. They are fetched when this view is first opened. */
export function AttachmentsView(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const refresh = useCommand('refreshAttachments')
  const refreshAll = (of: readonly InstanceSlice[]): void => {
    for (const { id } of of) void refresh.run({ instanceId: id })
  }
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    refreshAll(instances.filter(({ attachments }) => attachments.status === 'unknown'))
  })

  return (
    <>
      <div className={page.head}>
        <h1>{t('attachments.title')}</h1>
        {instances.length > 0 && (
          <Button
            variant="subtle"
            className={page.textAtEnd}
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={instances.some(({ attachments }) => attachments.status === 'loading')}
            onClick={() => {
              refreshAll(instances)
            }}
          >
            {t('attachments.refresh')}
          </Button>
        )}
      </div>
      {refresh.error && <ErrorNote error={refresh.error} />}
      {instances.length === 0 && (
        <Empty icon={IconPaperclip}>
          <p>{t('attachments.noInstance')}</p>
        </Empty>
      )}
      {instances.map((instance) => (
        <InstanceAttachments key={instance.id} instance={instance} />
      ))}
    </>
  )
}

function InstanceAttachments({
  instance: { id, attachments },
}: {
  readonly instance: InstanceSlice
}): ReactNode {
  const { t } = useTranslation()
  const { status, items, error } = attachments
  if (error?.code === 'attachments/not-offered') {
    return <p className={page.quiet}>{t('attachments.notOffered', { instance: id })}</p>
  }
  return (
    <>
      {error && <ErrorNote error={error} />}
      {items.length === 0 && status === 'loading' && <Loading label={t('attachments.loading')} />}
      {items.length === 0 && status === 'loaded' && (
        <Empty icon={IconPaperclip}>
          <h2>{t('attachments.noneTitle')}</h2>
          <p>{t('attachments.noneText')}</p>
        </Empty>
      )}
      {items.length > 0 && (
        <section className={page.card}>
          <h2>{t('attachments.of', { instance: id })}</h2>
          <ul className={styles.list}>
            {items.map((item) => (
              <AttachmentRow key={item.id} attachment={item} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function AttachmentRow({
  attachment: { title, description, type, extension, status },
}: {
  readonly attachment: AttachmentItem
}): ReactNode {
  const { t } = useTranslation()
  const file = extension === undefined ? t('attachments.file') : t('attachments.fileOf', { extension })
  return (
    <li className={styles.attachment}>
      <div className={styles.text}>
        <p>{title}</p>
        {description !== undefined && <p className={page.quiet}>{description}</p>}
      </div>
      <p className={page.quiet}>
        {type === 'EXTERNAL' ? t('attachments.link') : file}
        {status === 'IN_PROGRESS' && ` · ${t('attachments.uploading')}`}
      </p>
    </li>
  )
}
