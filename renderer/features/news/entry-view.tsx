import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandOutput } from '../../../contract/commands'
import type { EntryItem } from '../../../contract/news'
import { usePlaces } from '../../store/places'
import { AsOf } from '../../ui/as-of'
import { ErrorNote } from '../../ui/error-note'
import { useFocusOnOpen } from '../../ui/list-and-details'
import { Loading } from '../../ui/loading'
import styles from './article.module.css'
import { EntryBlocks, LinkCard } from './entry-blocks'
import { EntryFacts } from './entry-facts'
import { EntryRow } from './entry-row'
import { MisprintReport } from './misprint-report'
import type { Opened } from './news-store'
import { Picture } from './picture'
import { RichWords } from './rich-words'
import { Unreadable } from '../../ui/unreadable'
import { useEntry, useNewsInstance } from './use-news'
import { WebLink } from './web-link'

/** An opened entry. Shows what the list knows of it until the rest has been fetched. */
export function EntryView({
  opened,
  preview,
  onClose,
  onOpen,
}: {
  readonly opened: Opened
  readonly preview: EntryItem | undefined
  readonly onClose: () => void
  readonly onOpen: (entryId: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const instanceId = useNewsInstance()
  const { data: found, isFetching, error, refetch } = useEntry(opened)
  const { data, cachedAt, host } = found ?? {}
  const entry = data?.entry ?? preview
  const openedAddress = 'address' in opened ? opened.address : undefined
  const article = useRef<HTMLElement>(null)
  const start = useRef<HTMLButtonElement>(null)
  useFocusOnOpen(start, JSON.stringify(opened))
  const isThere = data !== undefined
  const places = usePlaces()
  const placeKey = JSON.stringify(['entry', instanceId, opened])
  useEffect(() => {
    if (isThere && article.current) article.current.scrollTop = places.get(placeKey)?.top ?? 0
  }, [places, placeKey, isThere])
  return (
    <article
      ref={article}
      className={styles.article}
      tabIndex={-1}
      onScroll={(event) => {
        places.set(placeKey, { top: event.currentTarget.scrollTop, rows: [] })
      }}
    >
      <div className={styles.bar}>
        <Button
          ref={start}
          variant="subtle"
          leftSection={<IconArrowLeft size={16} aria-hidden />}
          onClick={onClose}
        >
          {t('news.back')}
        </Button>
      </div>
      {cachedAt !== undefined && <AsOf service={host ?? instanceId} cachedAt={cachedAt} />}
      {entry && <Head entry={entry} />}
      {error && !isFetching && (
        <>
          <ErrorNote error={error.report} />
          <Button variant="default" className={styles.retry ?? ''} onClick={() => void refetch()}>
            {t('news.retry')}
          </Button>
        </>
      )}
      {data === undefined && isFetching && <Loading label={t('news.loading')} />}
      {data && <Body article={data} onOpen={onOpen} />}
      {data && <MisprintReport article={article} url={data.entry.page?.url ?? openedAddress} />}
    </article>
  )
}

function Head({ entry }: { readonly entry: EntryItem }): ReactNode {
  const { t } = useTranslation()
  return (
    <header className={styles.head}>
      <h2 dir="auto">{entry.title === '' ? t('news.untitled') : entry.title}</h2>
      <EntryFacts entry={entry} />
    </header>
  )
}

function Body({
  article: { entry, related, unreadable },
  onOpen,
}: {
  readonly article: CommandOutput<'revealEntry'>['data']
  readonly onOpen: (entryId: string) => void
}): ReactNode {
  const { t } = useTranslation()
  const { cover, intro, body, externalLink } = entry
  return (
    <>
      <div className={styles.body} dir="auto" data-misprints>
        {cover !== undefined && <Picture picture={cover} alt="" />}
        <div className={styles.text}>
          <RichWords text={intro} />
        </div>
        <EntryBlocks blocks={body.blocks} />
        {body.state !== 'whole' && (
          <p className={styles.unknown}>{t(body.state === 'cut' ? 'news.cut' : 'news.damaged')}</p>
        )}
        {externalLink && <LinkCard card={externalLink} />}
      </div>
      {entry.page && (
        <p>
          <WebLink url={entry.page.url}>{t('news.openPage')}</WebLink>
        </p>
      )}
      {related.length + unreadable > 0 && (
        <section className={styles.related}>
          <h3>{t('news.related')}</h3>
          <ul aria-label={t('news.related')}>
            {related.map((other) => (
              <li key={other.id}>
                <EntryRow
                  entry={other}
                  isOpen={false}
                  onOpen={() => {
                    onOpen(other.id)
                  }}
                />
              </li>
            ))}
          </ul>
          <Unreadable count={unreadable} />
        </section>
      )}
    </>
  )
}
