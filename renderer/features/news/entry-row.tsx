import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryItem } from '../../../contract/news'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import styles from './news.module.css'
import { Picture } from './picture'
import { plainExcerpt } from './plain-excerpt'
import { useDay } from '../../ui/use-day'

/** Entry in a list. Its name is the title; the rest describes it. */
export function EntryRow({
  entry,
  isOpen,
  onOpen,
}: {
  readonly entry: EntryItem
  readonly isOpen: boolean
  readonly onOpen: () => void
}): ReactNode {
  const { t } = useTranslation()
  const day = useDay()
  const id = useId()
  const { title, type, author, date, intro, cover, commentsCount } = entry
  const facts = [
    type && t(`news.typeOf.${type}`),
    author?.name,
    date === undefined ? undefined : day(date * 1000),
    commentsCount === undefined ? undefined : t('news.comments', { count: commentsCount }),
  ]
  return (
    <div className={styles.row}>
      <span className={styles.rowText}>
        {/* It reaches over the whole row. */}
        <button
          type="button"
          data-row-control
          className={`${styles.rowTitle} ${styles.opener}`}
          dir="auto"
          aria-current={isOpen || undefined}
          aria-describedby={`${id}excerpt ${id}facts`}
          onClick={onOpen}
        >
          {title === '' ? t('news.untitled') : title}
        </button>
        <span id={`${id}excerpt`} className={styles.excerpt} dir="auto">
          {plainExcerpt(intro)}
        </span>
        <span id={`${id}facts`} className={page.quiet}>
          <Facts facts={facts} />
        </span>
      </span>
      {cover !== undefined && <Picture picture={cover} alt="" className={styles.thumbnail} />}
    </div>
  )
}
