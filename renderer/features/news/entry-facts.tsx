import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryItem } from '../../../contract/news'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import styles from './article.module.css'
import { useDay } from '../../ui/use-day'
import { useNewsStore } from './use-news'

/** Author and date of an entry, with its views, likes and comments. */
export function EntryFacts({ entry }: { readonly entry: EntryItem }): ReactNode {
  const { t, i18n } = useTranslation()
  const store = useNewsStore()
  const day = useDay('long')
  const number = new Intl.NumberFormat(i18n.language)
  const { type, author, date, likes, hits, commentsCount } = entry
  const authorId = author?.id
  const facts = [
    type && t(`news.typeOf.${type}`),
    date === undefined ? undefined : day(date * 1000),
    hits === undefined ? undefined : t('news.views', { number: number.format(hits) }),
    likes === undefined ? undefined : t('news.likes', { number: number.format(likes) }),
    commentsCount === undefined ? undefined : t('news.comments', { count: commentsCount }),
  ]
  return (
    <div className={styles.facts}>
      {author && authorId !== undefined && (
        <Button
          variant="subtle"
          size="compact-sm"
          className={styles.author ?? ''}
          onClick={() => {
            store.showUser(authorId)
          }}
        >
          {t('news.by', { name: author.name })}
        </Button>
      )}
      {author && authorId === undefined && (
        <span className={page.quiet}>{t('news.by', { name: author.name })}</span>
      )}
      <span className={page.quiet}>
        <Facts facts={facts} />
      </span>
    </div>
  )
}
