import { Button } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useCallback, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { useServiceName } from '../../store/profile-name'
import { AsOf } from '../../ui/as-of'
import { Empty } from '../../ui/empty'
import { ErrorNote } from '../../ui/error-note'
import { ListRow, rowHeight } from '../../ui/list-row'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { VirtualList } from '../../ui/virtual-list'
import { AttachmentIcon, useKind } from './attachment-icon'
import styles from './attachments.module.css'
import type { May } from './may'
import { ShowAll } from './filter-bar'
import { isOfAuthor, itemAt, matching, useAttachments, type Attachments } from './use-attachments'
import { pendingDeletions } from './use-refresh-after-changes'

/** The attachments that match the query, or why there are none. */
export function AttachmentList({ may }: { readonly may: May }): ReactNode {
  const { t } = useTranslation()
  const attachments = useAttachments()
  const { instanceId, question, pages, rowCount, totalCount, error, cachedAt, host, loading, chosen } =
    attachments
  const deleted = pendingDeletions(useAppState(), instanceId)
  const kind = useKind()
  const rowKey = useRowKey(attachments)
  const placeKey = JSON.stringify(['attachments', instanceId, question])
  const unreadable = pages.reduce((sum, { answer }) => sum + answer.unreadable, 0)

  function row(index: number): ReactNode {
    const attachment = itemAt(attachments, index)
    if (attachment === 'coming') return <div className={styles.coming} aria-busy />
    if (attachment === 'unreadable')
      return <p className={styles.unreadable}>{t('attachments.unreadableRow')}</p>
    const { id, title, status } = attachment
    const isDeleted = deleted.includes(id)
    const about = [
      kind(attachment),
      ...(status === 'IN_PROGRESS' ? [t('attachments.uploading')] : []),
      ...(isDeleted ? [t('attachments.beingDeleted')] : []),
    ]
    return (
      <ListRow
        icon={<AttachmentIcon attachment={attachment} />}
        title={title.trim() === '' ? t('attachments.untitled') : title}
        about={about.join(' · ')}
        isChosen={chosen?.kind === 'attachment' && chosen.item.id === id}
        isDeleted={isDeleted}
        onOpen={() => {
          attachments.choose({ kind: 'attachment', item: attachment })
        }}
      />
    )
  }

  return (
    <>
      {question.kind === 'video' && question.videoId === '' && (
        <p className={page.quiet}>{t('attachments.chooseVideo')}</p>
      )}
      {error && <Trouble error={error} instanceId={instanceId} />}
      {cachedAt !== undefined && <AsOf service={host ?? instanceId} cachedAt={cachedAt} />}
      {rowCount === undefined && loading && <Loading label={t('attachments.loading')} />}
      {rowCount === 0 && error === undefined && <None question={question} may={may} />}
      {rowCount !== undefined && rowCount > 0 && (
        <>
          <p className={styles.count} role="status">
            {t('attachments.count', { count: rowCount })}
            {unreadable > 0 && ` · ${t('attachments.unreadable', { amount: unreadable })}`}
          </p>
          <Rest
            question={question}
            mayList={may.list}
            rowCount={rowCount}
            totalCount={totalCount ?? rowCount}
          />
          <VirtualList
            key={placeKey}
            label={t('attachments.list')}
            count={rowCount}
            rowHeight={rowHeight}
            rowKey={rowKey}
            row={row}
            onVisible={attachments.fetchRows}
            placeKey={placeKey}
          />
        </>
      )}
    </>
  )
}

/**
 * Returns the keys of the rows: the attachment's id, so that a row keeps the focus when one above it disappears, or its
 * index where the id is unknown or occurs again.
 */
function useRowKey({ pages, pageSize }: Pick<Attachments, 'pages' | 'pageSize'>): (index: number) => string {
  const firstIndexes = useMemo(() => {
    const found = new Map<string, number>()
    for (const { number, answer } of pages)
      answer.data.forEach(({ id }, place) => {
        const index = (number - 1) * pageSize + place
        found.set(id, Math.min(index, found.get(id) ?? index))
      })
    return found
  }, [pages, pageSize])
  return useCallback(
    (index) => {
      const item = itemAt({ pages, pageSize }, index)
      const id = typeof item === 'string' ? undefined : item.id
      return id !== undefined && firstIndexes.get(id) === index ? `id ${id}` : `row ${index}`
    },
    [pages, pageSize, firstIndexes],
  )
}

/**
 * Says that the service returns only some attachments of a video, and links to all of them for people who may list
 * them.
 */
function Rest({
  question,
  mayList,
  rowCount,
  totalCount,
}: {
  readonly question: Attachments['question']
  readonly mayList: boolean
  readonly rowCount: number
  readonly totalCount: number
}): ReactNode {
  const { t } = useTranslation()
  const { ask } = useAttachments()
  if (question.kind !== 'video' || rowCount >= totalCount) return null
  return (
    <div className={styles.trouble}>
      <p className={page.quiet}>{t('attachments.partOfVideo', { shown: rowCount, count: totalCount })}</p>
      {mayList && (
        <Button
          variant="default"
          onClick={() => {
            ask(matching({ videos: [question.videoId] }))
          }}
        >
          {t('attachments.showAll')}
        </Button>
      )}
    </div>
  )
}

function Trouble({
  error,
  instanceId,
}: {
  readonly error: NonNullable<Attachments['error']>
  readonly instanceId: string
}): ReactNode {
  const name = useServiceName(instanceId)
  const { t } = useTranslation()
  const { refresh } = useAttachments()
  if (error.code === 'attachments/not-offered') {
    return <p className={page.quiet}>{t('attachments.notOffered', { instance: name })}</p>
  }
  return (
    <div className={styles.trouble}>
      <ErrorNote error={error} />
      <Button variant="default" onClick={() => void refresh()}>
        {t('attachments.retry')}
      </Button>
    </div>
  )
}

function None({
  question,
  may,
}: {
  readonly question: Attachments['question']
  readonly may: May
}): ReactNode {
  const { t } = useTranslation()
  if (question.kind === 'video') return <p className={page.quiet}>{t('attachments.noneOfVideo')}</p>
  const { userId, videos, modules } = question.filter
  if (userId === '' && videos.length === 0 && modules.length === 0) {
    return (
      <Empty icon={IconPaperclip}>
        <h2>{t('attachments.noneTitle')}</h2>
        <p>{t('attachments.noneText')}</p>
      </Empty>
    )
  }
  const isMine = isOfAuthor(question, may.userId)
  return (
    <div className={styles.trouble}>
      <p className={page.quiet}>{isMine ? t('attachments.noneOfYours') : t('attachments.noneFound')}</p>
      <ShowAll />
    </div>
  )
}
