import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryItem } from '../../../contract/news'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import styles from './news.module.css'
import { Picture } from './picture'
import { plainExcerpt } from './plain-excerpt'
import { useDay } from './use-day'

/** An entry in a list. */
export function EntryRow({
  entry,
  isOpen,
  onOpen,
}: {
  readonly entry: EntryItem
  readonly isOpen: boolean
  readonly onOpen: (row: HTMLElement) => void
}): ReactNode {
  const { t } = useTranslation()
  const day = useDay()
  const { title, type, author, date, intro, cover, commentsCount } = entry
  const facts = [
    type && t(`news.typeOf.${type}`),
    author?.name,
    date === undefined ? undefined : day(date),
    commentsCount === undefined ? undefined : t('news.comments', { count: commentsCount }),
  ]
  return (
    <button
      type="button"
      data-row-control
      className={styles.row}
      aria-current={isOpen || undefined}
      onClick={(event) => {
        onOpen(event.currentTarget)
      }}
    >
      <span className={styles.rowText}>
        <span className={styles.rowTitle} dir="auto">
          {title === '' ? t('news.untitled') : title}
        </span>
        <span className={styles.excerpt} dir="auto">
          {plainExcerpt(intro)}
        </span>
        <span className={page.quiet}>
          <Facts facts={facts} />
        </span>
      </span>
      {cover !== undefined && <Picture picture={cover} alt="" className={styles.thumbnail} />}
    </button>
  )
}
