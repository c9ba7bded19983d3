import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { contentChoices } from '../../../contract/choices'
import type { TweetItem } from '../../../contract/news'
import { Choice } from '../../ui/choice'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import article from './article.module.css'
import { EndlessList } from './endless-list'
import styles from './news.module.css'
import { Picture } from './picture'
import { PlainWords } from './plain-words'
import { useDay } from '../../ui/use-day'
import { useNewsState, useNewsStore, useTweets } from './use-news'

/** Tweets of a list and period. */
export function TweetsSection(): ReactNode {
  const { t } = useTranslation()
  const store = useNewsStore()
  const { tweets } = useNewsState()
  const list = useTweets(tweets)
  return (
    <div className={styles.single}>
      <EndlessList
        list={list}
        label={t('news.listOf.tweets')}
        none={{ title: t('news.none.tweetsTitle'), text: t('news.none.tweetsText') }}
        rowHeight={120}
        row={(tweet) => <Tweet tweet={tweet} />}
        filters={
          <>
            <Choice
              aria-label={t('news.tweetList')}
              options={contentChoices.tweetLists.map((value) => ({
                value,
                label: t('news.tweetListOf', { list: value }),
              }))}
              value={tweets.listId}
              onChoose={(listId) => {
                store.state.setState({ tweets: { ...tweets, listId } })
              }}
            />
            <Choice
              aria-label={t('news.interval')}
              options={contentChoices.tweetIntervals.map((value) => ({
                value,
                label: t(`news.tweetIntervals.${value}`),
              }))}
              value={tweets.interval}
              onChoose={(interval) => {
                store.state.setState({ tweets: { ...tweets, interval } })
              }}
            />
          </>
        }
      />
    </div>
  )
}

function Tweet({ tweet }: { readonly tweet: TweetItem }): ReactNode {
  const { t, i18n } = useTranslation()
  const day = useDay('long')
  const number = new Intl.NumberFormat(i18n.language)
  const { author, text, pictures, date, retweetCount, favoriteCount } = tweet
  const facts = [
    date === undefined ? undefined : day(date * 1000),
    retweetCount === undefined ? undefined : t('news.shared', { number: number.format(retweetCount) }),
    favoriteCount === undefined ? undefined : t('news.likes', { number: number.format(favoriteCount) }),
  ]
  return (
    // Focusable, so that arrow keys move between tweets.
    <article tabIndex={0} data-row-control className={styles.tweet} aria-label={author?.name}>
      {author?.picture && <Picture picture={author.picture} alt="" className={styles.avatar} />}
      <div className={styles.tweetText}>
        {author && (
          <p className={styles.rowTitle} dir="auto">
            {author.name}
            {author.screenName !== undefined && <span className={page.quiet}> @{author.screenName}</span>}
          </p>
        )}
        <p className={article.text} dir="auto">
          <PlainWords text={text} />
        </p>
        {pictures.map((picture, index) => (
          <Picture key={index} picture={picture} alt="" className={styles.tweetPicture} />
        ))}
        <p className={page.quiet}>
          <Facts facts={facts} />
        </p>
      </div>
    </article>
  )
}
