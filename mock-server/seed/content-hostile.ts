import { type Entry, type HeldEntry, pagesPath, type User } from '../content/answer-schemas'
import { imageSizes, imageUrl } from '../content/images'
import { authorOf, datesOf, linkTo } from './content-entries'
import { filled } from './random'
import texts from './texts/hostile-entries.json'

interface HostileText {
  title: string
  intro: string
  body: { type: unknown; data: unknown }[] | string
  cover?: string
  link?: string
  author?: string
}

const nesting = 3000

/** Texts that would be too long for JSON. */
const tooLong: HostileText[] = [
  {
    title: 'Very deep',
    intro: `${'<div><b>'.repeat(nesting)}deep${'</b></div>'.repeat(nesting)}`,
    body: `{"data":[{"type":"text","data":${'['.repeat(nesting)}${']'.repeat(nesting)}}]}`,
  },
  {
    title: `Very long ${'w'.repeat(2000)}`,
    intro: `<p>${'&amp;'.repeat(20_000)}</p>`,
    body: Array.from({ length: 2000 }, (_, index) => ({
      type: 'text',
      data: { text: `<p>Paragraph ${index + 1}</p>`, format: 'html' },
    })),
  },
]

/** Only a client that runs or loads these texts requests the addresses with "canary", which the journal records. */
function hostileTexts(origin: string): HostileText[] {
  const known = filled(texts, { origin, half: '\ud800' }) as HostileText[]
  return [...known.slice(0, 8), ...tooLong, ...known.slice(8)]
}

/** Returns entries with hostile content, dated so that they come first. Their ids start at `firstId`. */
export function hostileEntries(author: User, now: Date, origin: string, firstId: number): HeldEntry[] {
  const nowSeconds = Math.floor(now.getTime() / 1000)
  return hostileTexts(origin).map((hostile, index): HeldEntry => {
    const id = firstId + index
    const date = nowSeconds + index
    const cover = hostile.cover ?? imageUrl(origin, 'cover', id)
    const by = { ...authorOf(author, origin), name: hostile.author ?? author.name }
    const entry: Entry = {
      id,
      title: hostile.title,
      url: `${origin}${pagesPath}/articles/${id}-hostile`,
      ...datesOf(date),
      author: by,
      publicAuthor: by,
      type: 4,
      intro: hostile.intro,
      cover: { thumbnailUrl: cover, url: cover, size: imageSizes.cover },
      externalLink:
        hostile.link === undefined
          ? null
          : linkTo('www.example.org', hostile.link, {
              title: hostile.title,
              description: hostile.intro,
              image: hostile.link,
            }),
      hits: 1,
      likes: { count: 100_000, summ: 100_000, isLiked: false },
      commentsCount: 1,
      commentsPreview: [{ id, author: by, text: hostile.intro, date }],
      isFavorited: false,
    }
    const entryJSON = typeof hostile.body === 'string' ? hostile.body : JSON.stringify({ data: hostile.body })
    return { entry, entryJSON, isOnMainPage: true, isEditorial: true }
  })
}
