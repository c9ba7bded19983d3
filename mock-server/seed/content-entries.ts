import { type Comment, type Entry, type HeldEntry, pagesPath, type User } from '../content/answer-schemas'
import { imageSizes, imageUrl } from '../content/images'
import { escapeHtml } from '../http/page'
import { editors, userUrl } from './content-users'
import { cycled, filled, pick } from './random'
import foreignTexts from './texts/other-languages.json'
import { comments, types } from './texts/entries.json'
import blocks from './texts/blocks.json'
import topics from './texts/topics.json'

interface BlockTexts {
  heading: string
  paragraphs: readonly string[]
  quote: string
}

function blockValues(entry: Entry, { heading, quote }: BlockTexts, origin: string): Record<string, unknown> {
  const { id, author, title, date } = entry
  const picture = (number: number) => ({ url: imageUrl(origin, 'photo', number), ...imageSizes.photo })
  return {
    id,
    title,
    date,
    heading,
    quote,
    quoteHtml: escapeHtml(quote),
    name: author.name,
    author: author.id,
    avatar: author.profile_image_url,
    thumbnail: imageUrl(origin, 'thumbnail', id),
    picture: picture(id),
    gallery: [1, 2, 3].map((number) => {
      const shown = picture(id * 10 + number)
      return { ...shown, bigUrl: shown.url, title: `Picture ${number} of 3` }
    }),
    duration: 60 + ((id * 37) % 900),
    roundTrip: 10 + (id % 40),
  }
}

/** Returns the entryJSON of an entry with some kinds of blocks, and of every tenth entry with all. */
function seedEntryJson(entry: Entry, texts: BlockTexts, origin: string): string {
  const text = (content: string) => ({
    type: 'text',
    data: { text: `<p>${escapeHtml(content)}</p>`, format: 'html' },
  })
  const [first = '', ...others] = texts.paragraphs
  const values = blockValues(entry, texts, origin)
  const chosen = blocks.filter((_, index) => entry.id % 10 === 0 || (index + entry.id) % blocks.length < 3)
  const data: unknown[] = [
    text(first),
    { type: 'heading_styled', data: { text: texts.heading, 'heading-styles': 'h2', format: 'text' } },
    ...others.map(text),
    ...chosen.map((block) => filled(block, values)),
  ]
  return JSON.stringify({ data })
}

export const entryCount = topics.length * 4 + foreignTexts.length
const days = 60
const foreignEvery = 11
const firstForeign = 5

type EntryType = 1 | 2 | 3 | 4

interface EntryText {
  type: EntryType
  title: string
  paragraphs: readonly string[]
  tags: readonly string[]
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

function englishText(index: number): EntryText {
  const type = ([1, 2, 3, 4] as const)[index % 4] ?? 1
  const step = Math.floor(index / 4)
  const topic = cycled(topics, step * 7 + type * 11)
  const { titles, ending } = types[type]
  const title = cycled(titles, step).replace('{name}', topic.name).replace('{Name}', capital(topic.name))
  return { type, title, paragraphs: [...topic.facts, ending], tags: topic.tags }
}

/** Returns the text at this index, independent of the seed. Past the last text they repeat with a part number. */
function textAt(place: number): EntryText {
  const round = Math.floor(place / entryCount)
  const index = place % entryCount
  const foreignBefore = Math.floor((index + foreignEvery - firstForeign - 1) / foreignEvery)
  const foreign =
    index % foreignEvery === firstForeign ? foreignTexts[Math.floor(index / foreignEvery)] : undefined
  const text: EntryText =
    foreign === undefined
      ? englishText(index - foreignBefore)
      : { ...foreign, type: foreign.type as EntryType }
  return round === 0 ? text : { ...text, title: `${text.title} (part ${round + 1})` }
}

const sections: Record<EntryType, string> = { 1: 'news', 2: 'off-topic', 3: 'videos', 4: 'articles' }

function externalLinkOf(type: EntryType, id: number, text: EntryText, origin: string): Entry['externalLink'] {
  if (type !== 3 && id % 3 !== 0) return null
  const domain = type === 3 ? 'video.example.org' : 'www.example.org'
  const url = `https://${domain}/${type === 3 ? `watch/v${id}` : `reading/${id}`}`
  const image = imageUrl(origin, 'thumbnail', id)
  return linkTo(domain, url, { title: text.title, description: text.paragraphs[0] ?? '', image })
}

/** Returns a link with what a reader shows of its page. */
export function linkTo(
  domain: string,
  url: string,
  { title, description, image }: Record<'title' | 'description' | 'image', string>,
): NonNullable<Entry['externalLink']> {
  return { domain, url, data: { title, description, imageUrl: image, url, image } }
}

/** Returns a date, in Unix seconds, in the forms of an entry. */
export const datesOf = (date: number) => ({
  date,
  dateRFC: new Date(date * 1000).toUTCString().replace('GMT', '+0000'),
})

export function authorOf(user: User, origin: string): Entry['author'] {
  const { id, name, profile_image_url } = user
  return { id, name, profile_image_url, url: userUrl(origin, id) }
}

const maxPreviewed = 3

function commentsOf(
  { id, date, commentsCount: count }: Entry,
  users: readonly User[],
  origin: string,
): Comment[] {
  return Array.from({ length: Math.min(count, maxPreviewed) }, (_, index) => {
    const number = count - index
    return {
      id: id * 100 + number,
      author: authorOf(cycled(users, id + number), origin),
      text: `<p>${escapeHtml(cycled(comments, id + number))}</p>`,
      date: date + 7 * number,
    }
  })
}

/** Returns an entry written at `date` (Unix seconds); `place` selects its text. */
export function seedEntry(
  random: () => number,
  users: readonly User[],
  origin: string,
  entry: { id: number; place: number; date: number },
): HeldEntry {
  const { id, place, date } = entry
  const text = textAt(place)
  const author = pick(random, users)
  const likes = Math.floor(random() ** 2 * 240)
  const isFavorited = random() < 0.05
  const [first = '', second = ''] = text.paragraphs
  const tags = text.tags.map((tag) => `#${tag}`).join(' ')
  const by = authorOf(author, origin)
  const slug = text.title.toLowerCase().match(/[a-z0-9]+/g) ?? ['entry']
  const shown: Entry = {
    id,
    title: text.title,
    url: `${origin}${pagesPath}/${sections[text.type]}/${id}-${slug.slice(0, 8).join('-')}`,
    ...datesOf(date),
    author: by,
    publicAuthor: by,
    type: text.type,
    intro: `<p>${escapeHtml(first)} <b>${escapeHtml(second)}</b></p><p>${escapeHtml(tags)}</p>`,
    cover:
      id % 6 === 5
        ? null
        : {
            thumbnailUrl: imageUrl(origin, 'thumbnail', id),
            url: imageUrl(origin, 'cover', id),
            size: imageSizes.cover,
          },
    externalLink: externalLinkOf(text.type, id, text, origin),
    hits: 80 + likes * 31 + Math.floor(random() * 400),
    likes: {
      count: likes,
      summ: likes - 2 * Math.floor(random() * 0.6 * likes),
      isLiked: isFavorited && likes > 0,
    },
    commentsCount: Math.floor(random() * 90),
    commentsPreview: [],
    isFavorited,
  }
  shown.commentsPreview = commentsOf(shown, users, origin)
  const heading = text.title.replace(/[:?].*$/, '')
  return {
    entry: shown,
    entryJSON: seedEntryJson(shown, { heading, paragraphs: text.paragraphs, quote: second }, origin),
    isOnMainPage: random() < 0.65,
    isEditorial: editors.has(author.id),
  }
}

/** Returns entries of the last 60 days, newest first, with falling ids. Addresses are below `origin`. */
export function seedEntries(
  random: () => number,
  options: { count: number; users: readonly User[]; nowSeconds: number; origin: string },
): HeldEntry[] {
  const { count, users, nowSeconds, origin } = options
  return Array.from({ length: count }, (_, place) => {
    const age = ((place + random()) * days * 86_400) / count
    return seedEntry(random, users, origin, { id: count - place, place, date: nowSeconds - Math.floor(age) })
  })
}
