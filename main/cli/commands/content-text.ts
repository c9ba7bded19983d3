import { t } from '../language'
import { localDay } from '../screen'
import type { Block, RichNode, RichText } from '../../services/news/image-reference'
import type { ShownDetails, ShownTweet, ShownUser, shownRevealed } from '../../services/news/shown'

/** Formats an entry for the terminal: plain lines with the URLs of its links. */
export function entryText(entry: ShownDetails): string {
  const { author, externalLink, body } = entry
  const about = [day(entry.date), entry.type, author?.name, count(entry.commentsCount, 'comments')]
  const endings = {
    whole: [],
    damaged: [`[${t('terminal.content.damaged')}]`],
    cut: [`[${t('terminal.content.cut')}]`],
  }
  return paragraphs([
    [
      entry.title,
      about.filter((part) => part !== undefined && part !== '').join(' · '),
      entry.page?.url ?? '',
    ],
    [richLines(entry.intro)],
    externalLink === undefined
      ? []
      : [externalLink.title ?? '', externalLink.description ?? '', externalLink.url],
    ...body.blocks.map((block) => [blockText(block)]),
    endings[body.state],
  ])
}

/** Formats the entry of a URL with the titles of similar ones. */
export function revealedText({ entry, related }: ReturnType<typeof shownRevealed>): string {
  const others = related.map(({ id, title }) => `${id.padStart(8)}  ${title}`)
  return paragraphs([
    [entryText(entry)],
    others.length === 0 ? [] : [t('terminal.content.similar'), ...others],
  ])
}

export function userText(user: ShownUser): string {
  const about = [
    user.date === undefined ? '' : t('terminal.content.since', { date: day(user.date) }),
    user.isClubMember ? t('terminal.content.clubMember') : '',
    user.karma === undefined ? '' : t('terminal.content.karma', { number: user.karma }),
  ]
  return paragraphs([
    [`${user.name} (${user.id})`, about.filter((part) => part !== '').join(' · ')],
    user.socialAccounts.map(({ name, page }) =>
      [name, page?.url ?? ''].filter((part) => part !== '').join('  '),
    ),
  ])
}

export function tweetText({ id, author, date, retweetCount, favoriteCount, text }: ShownTweet): string {
  const about = [
    author?.screenName === undefined ? author?.name : `@${author.screenName}`,
    day(date),
    count(retweetCount, 'shares'),
    count(favoriteCount, 'likes'),
  ]
  return [
    `${id}  ${about.filter((part) => part !== undefined && part !== '').join(' · ')}`,
    ...text.split('\n').map((line) => `  ${line}`),
  ].join('\n')
}

/** Returns the local day of a time in seconds since the epoch; an empty text if it's missing or out of range. */
export function day(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? '' : localDay(date)
}

function count(number: number | undefined, of: 'comments' | 'shares' | 'likes'): string | undefined {
  return number === undefined ? undefined : t(`terminal.content.${of}`, { count: number })
}

function paragraphs(parts: readonly (readonly string[])[]): string {
  return parts
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'text':
      return richLines(block.text)
    case 'heading':
      return `${'#'.repeat(block.level)} ${block.text}`
    case 'image':
      return pictureText([block.title, block.author], block.image.imageUrl)
    case 'gallery':
      return block.images.map(({ title, image }) => pictureText([title], image.imageUrl)).join('\n')
    case 'video':
      return `[${t('terminal.content.kind.video')}${block.title === undefined ? '' : `: ${block.title}`}]\n${block.url}`
    case 'quote':
      return quoted(richLines(block.text), block.cite)
    case 'tweet':
      return quoted(block.text, block.screenName === undefined ? block.author : `@${block.screenName}`)
    case 'embed':
      return [block.title, block.description, block.url].filter((line) => line !== undefined).join('\n')
    case 'unknown':
      return `[${block.type === '' ? t('terminal.content.unknown') : t('terminal.content.unknownType', { type: block.type })}]`
  }
}

function pictureText(words: readonly (string | undefined)[], address: string): string {
  const description = words.filter((word) => word !== undefined).join(', ')
  return `[${t('terminal.content.picture')}${description === '' ? '' : `: ${description}`}]\n${address}`
}

function quoted(text: string, cite: string | undefined): string {
  const lines = text.split('\n').map((line) => `> ${line}`)
  return [...lines, ...(cite === undefined ? [] : [`  ${cite}`])].join('\n')
}

function richLines(text: RichText): string {
  return text.map(nodeText).join('').trim()
}

function nodeText(node: RichNode): string {
  switch (node.kind) {
    case 'text':
    case 'code':
      return node.text
    case 'bold':
    case 'italic':
      return inline(node.children)
    case 'paragraph':
      return `${inline(node.children)}\n\n`
    case 'link': {
      const label = inline(node.children)
      return label === node.url ? label : `${label} (${node.url})`
    }
    case 'list':
      return `${node.items.map((item, index) => listItem(item, node.ordered ? `${index + 1}.` : '•')).join('\n')}\n\n`
    case 'image':
      return `[${t('terminal.content.picture')}${node.alt === '' ? '' : `: ${node.alt}`}]`
    case 'break':
      return '\n'
  }
}

function inline(text: RichText): string {
  return text.map(nodeText).join('')
}

function listItem(item: RichText, mark: string): string {
  return `${mark} ${richLines(item).replaceAll('\n\n', '\n').replaceAll('\n', '\n  ')}`
}
