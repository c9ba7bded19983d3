import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AttachmentItem, StoredFileFacts } from '../../../contract/attachments'
import { editableText } from '../../../contract/safe-text'
import { Fact, FactList } from '../../ui/fact-list'
import { useDay } from '../../ui/use-day'
import { bytesText } from './amounts'
import styles from './attachments.module.css'
import type { May } from './may'
import { matching, useAttachments, type Question } from './use-attachments'

/** Facts about an attachment and its file. Author, videos and modules link to their other attachments. */
export function AttachmentFacts({
  attachment: { id, userId, address, videos, modules },
  file: { bytes, changedAt },
  may,
}: {
  readonly attachment: AttachmentItem
  readonly file: StoredFileFacts
  readonly may: May
}): ReactNode {
  const { t, i18n } = useTranslation()
  const day = useDay('long')
  return (
    <FactList>
      {address !== undefined && (
        <Fact name={t('attachments.address')}>
          <bdi>{editableText(address)}</bdi>
        </Fact>
      )}
      <Fact name={t('attachments.author')}>
        <Leading text={userId} to={may.list ? matching({ userId }) : undefined} />
        {userId === may.userId && ` (${t('attachments.you')})`}
      </Fact>
      <Fact name={t('attachments.videos')}>
        <Several ids={videos} to={(videoId) => ({ kind: 'video', videoId })} />
      </Fact>
      <Fact name={t('attachments.modules')}>
        <Several ids={modules} to={(module) => (may.list ? matching({ modules: [module] }) : undefined)} />
      </Fact>
      <Fact name={t('attachments.id')}>
        <bdi>{editableText(id)}</bdi>
      </Fact>
      {/* Last, because they arrive later and must not move the links. */}
      {bytes !== undefined && <Fact name={t('attachments.size')}>{bytesText(bytes, i18n.language)}</Fact>}
      {changedAt !== undefined && <Fact name={t('attachments.changedAt')}>{day(changedAt)}</Fact>}
    </FactList>
  )
}

function Several({
  ids,
  to,
}: {
  readonly ids: readonly string[]
  readonly to: (id: string) => Question | undefined
}): ReactNode {
  const { t } = useTranslation()
  if (ids.length === 0) return t('attachments.none')
  return (
    <ul className={styles.ids}>
      {ids.map((id, index) => (
        <li key={index}>
          <Leading text={id} to={to(id)} />
        </li>
      ))}
    </ul>
  )
}

function Leading({ text, to }: { readonly text: string; readonly to: Question | undefined }): ReactNode {
  const { ask } = useAttachments()
  if (to === undefined) return <bdi>{editableText(text)}</bdi>
  return (
    <Anchor
      component="button"
      inherit
      type="button"
      onClick={() => {
        ask(to)
      }}
    >
      <bdi>{editableText(text)}</bdi>
    </Anchor>
  )
}
