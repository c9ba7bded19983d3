import { IconPlayerPlay } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryBlock, LinkCard as LinkCardItem, Picture as PictureItem } from '../../../contract/news'
import { Facts } from '../../ui/facts'
import page from '../../ui/page.module.css'
import { formatDuration } from '../connection/duration'
import styles from './article.module.css'
import { Picture } from './picture'
import { PlainWords } from './plain-words'
import { RichWords } from './rich-words'
import { WebLink } from './web-link'

/** Blocks of an entry, in order. */
export function EntryBlocks({ blocks }: { readonly blocks: readonly EntryBlock[] }): ReactNode {
  return blocks.map((block, index) => <Block key={index} block={block} />)
}

function Block({ block }: { readonly block: EntryBlock }): ReactNode {
  const { t } = useTranslation()
  switch (block.kind) {
    case 'text':
      return (
        <div className={styles.text}>
          <RichWords text={block.text} />
        </div>
      )
    case 'heading': {
      // Level 2 is the title of the entry.
      const Heading = `h${block.level + 1}` as 'h3' | 'h4' | 'h5'
      return <Heading className={styles.heading}>{block.text}</Heading>
    }
    case 'image':
      return <Figure image={block.image} title={block.title} author={block.author} />
    case 'gallery':
      return (
        <div className={styles.gallery}>
          {block.images.map(({ image, title }, index) => (
            <Figure key={index} image={image} title={title} />
          ))}
        </div>
      )
    case 'video':
      return (
        <LinkCard
          card={{ ...block, title: block.title ?? t('news.video'), image: block.thumbnail }}
          mark={
            <span className={page.quiet}>
              <IconPlayerPlay size={14} aria-hidden /> {t('news.video')}
              {block.durationSeconds !== undefined && ` · ${formatDuration(1000 * block.durationSeconds)}`}
            </span>
          }
        />
      )
    case 'quote':
      return (
        <blockquote className={styles.quote}>
          <RichWords text={block.text} />
          {block.cite !== undefined && <footer className={page.quiet}>{block.cite}</footer>}
        </blockquote>
      )
    case 'tweet':
      return (
        <blockquote className={styles.card}>
          <p className={styles.text}>
            <PlainWords text={block.text} />
          </p>
          <footer className={page.quiet}>
            <Facts facts={[block.author, block.screenName && `@${block.screenName}`]} />
          </footer>
          {block.url !== undefined && <WebLink url={block.url}>{t('news.openTweet')}</WebLink>}
        </blockquote>
      )
    case 'embed':
      return <LinkCard card={block} />
    case 'unknown':
      return <p className={styles.unknown}>{t('news.unknownPart')}</p>
  }
}

/** Web page with its title, description and image. */
export function LinkCard({
  card: { url, host, title, description, image },
  mark,
}: {
  readonly card: LinkCardItem
  readonly mark?: ReactNode
}): ReactNode {
  return (
    <div className={styles.card}>
      {image !== undefined && <Picture picture={image} alt="" className={styles.cardPicture} />}
      <div className={styles.cardText}>
        <WebLink url={url}>{title ?? host}</WebLink>
        {mark}
        {description !== undefined && <p className={page.quiet}>{description}</p>}
      </div>
    </div>
  )
}

function Figure({
  image,
  title,
  author,
}: {
  readonly image: PictureItem
  readonly title?: string | undefined
  readonly author?: string | undefined
}): ReactNode {
  const hasCaption = [title, author].some((part) => part !== undefined && part !== '')
  return (
    <figure className={styles.figure}>
      <Picture picture={image} alt={title ?? ''} />
      {hasCaption && (
        <figcaption className={page.quiet}>
          <Facts facts={[title, author]} />
        </figcaption>
      )}
    </figure>
  )
}
