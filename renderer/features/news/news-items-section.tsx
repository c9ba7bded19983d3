import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { contentChoices } from '../../../contract/choices'
import type { NewsItem } from '../../../contract/news'
import { useFetched } from '../../store/queries'
import { Choice } from '../../ui/choice'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import { EndlessList } from './endless-list'
import styles from './news.module.css'
import { Picture } from './picture'
import { useDay } from '../../ui/use-day'
import { Unreadable } from '../../ui/unreadable'
import { useNewsInstance, useNewsItems, useNewsState, useNewsStore } from './use-news'
import { WebLink } from './web-link'

/** Press reports by category, with their sources. */
export function NewsItemsSection(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const instanceId = useNewsInstance()
  const { news } = useNewsState()
  const list = useNewsItems(news)
  const { data: categories } = useFetched('listNewsCategories', { instanceId })
  const { data = [], unreadable = 0 } = categories ?? {}
  // The service numbers the categories of news from 1.
  const choices = data.filter(({ id }) => !/^0+$/.test(id))
  const sources = data.find(({ id }) => id === news.listId)?.sources ?? []
  return (
    <div className={styles.single}>
      <EndlessList
        list={list}
        label={t('news.listOf.news')}
        none={{ title: t('news.none.newsTitle'), text: t('news.none.newsText') }}
        rowHeight={96}
        row={(item) => <NewsRow item={item} />}
        filters={
          <>
            <Choice
              aria-label={t('news.category')}
              options={[
                { value: '', label: t('news.allCategories') },
                ...choices.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={news.listId ?? ''}
              onChoose={(listId) => {
                const of = listId === '' ? {} : { listId }
                store.state.setState({ news: { interval: news.interval, ...of } })
              }}
            />
            <Choice
              aria-label={t('news.interval')}
              options={contentChoices.newsIntervals.map((value) => ({
                value,
                label: t(`news.newsIntervals.${value}`),
              }))}
              value={news.interval}
              onChoose={(interval) => {
                store.state.setState({ news: { ...news, interval } })
              }}
            />
          </>
        }
        below={
          <>
            <Unreadable count={unreadable} />
            {sources.length > 0 && (
              <ul className={styles.sources} aria-label={t('news.sources')}>
                {sources.map((source, index) => (
                  <li key={index}>
                    {source.page ? <WebLink url={source.page.url}>{source.name}</WebLink> : source.name}
                  </li>
                ))}
              </ul>
            )}
          </>
        }
      />
    </div>
  )
}

/** News item that opens its page, if it has one, in the browser. */
function NewsRow({ item }: { readonly item: NewsItem }): ReactNode {
  const { t, i18n } = useTranslation()
  const store = useNewsStore()
  const day = useDay()
  const { title, page: at, source, date, rating, image } = item
  const facts = [
    source?.name,
    at?.host,
    date === undefined ? undefined : day(date * 1000),
    rating === undefined
      ? undefined
      : t('news.rating', { number: new Intl.NumberFormat(i18n.language).format(rating) }),
  ]
  const content = (
    <>
      <span className={styles.rowText}>
        <span className={styles.rowTitle} dir="auto">
          {title === '' ? t('news.untitled') : title}
        </span>
        <span className={page.quiet}>
          <Facts facts={facts} />
        </span>
      </span>
      {image !== undefined && <Picture picture={image} alt="" className={styles.thumbnail} />}
    </>
  )
  if (at === undefined) {
    return (
      <div tabIndex={0} data-row-control className={styles.row}>
        {content}
      </div>
    )
  }
  return (
    <a
      data-row-control
      className={styles.row}
      href={at.url}
      title={at.url}
      draggable={false}
      onClick={(event) => {
        event.preventDefault()
        void store.openLink(at.url)
      }}
    >
      {content}
    </a>
  )
}
