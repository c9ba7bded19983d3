import type { Entry } from '../content/answer-schemas'
import { imageSizes, imageUrl } from '../content/images'
import { escapeHtml } from '../http/page'

interface Block {
  type: string
  data: Record<string, unknown>
}

/** Plain texts for the blocks of an entry. */
interface BlockTexts {
  heading: string
  paragraphs: readonly string[]
  quote: string
}

function extraBlocks(entry: Entry, texts: BlockTexts, origin: string): Block[] {
  const { id, author } = entry
  const file = (number: number) => ({ url: imageUrl(origin, 'photo', number), ...imageSizes.photo })
  return [
    {
      type: 'image_extended',
      data: { file: file(id), title: texts.heading, author: author.name, background: false },
    },
    {
      type: 'gallery',
      data: {
        files: [1, 2, 3].map((number) => {
          const picture = file(id * 10 + number)
          return { ...picture, bigUrl: picture.url, title: `Picture ${number} of 3` }
        }),
      },
    },
    {
      type: 'video_extended',
      data: {
        service: 'example',
        id: `v${id}`,
        url: `https://video.example.org/watch/v${id}`,
        thumbnailUrl: imageUrl(origin, 'thumbnail', id),
        title: entry.title,
        durationSeconds: 60 + ((id * 37) % 900),
      },
    },
    {
      type: 'quote_styled',
      data: { text: `<p>${escapeHtml(texts.quote)}</p>`, format: 'html', cite: author.name, size: 'small' },
    },
    {
      type: 'tweet',
      data: {
        id,
        text: texts.quote,
        user: {
          name: author.name,
          screen_name: `user${author.id}`,
          profile_image_url: author.profile_image_url,
        },
        created_at: entry.date,
        url: `https://microblog.example.org/status/${id}`,
      },
    },
    {
      type: 'link_embed',
      data: {
        url: `https://www.example.org/reading/${id}`,
        domain: 'www.example.org',
        title: texts.heading,
        description: texts.quote,
        imageUrl: imageUrl(origin, 'thumbnail', id),
      },
    },
    {
      type: 'rawhtml',
      data: {
        raw: `<table><tr><th>Test</th><th>Result</th></tr><tr><td>Round trip</td><td>${10 + (id % 40)} ms</td></tr></table>`,
      },
    },
  ]
}

/**
 * Returns the entryJSON of an entry: text, a heading and two or three more kinds of blocks. Every tenth entry has all
 * kinds.
 */
export function seedEntryJson(entry: Entry, texts: BlockTexts, origin: string): string {
  const text = (content: string): Block => ({
    type: 'text',
    data: { text: `<p>${escapeHtml(content)}</p>`, format: 'html' },
  })
  const [first = '', ...others] = texts.paragraphs
  const extra = extraBlocks(entry, texts, origin)
  const chosen = extra.filter((_, index) => entry.id % 10 === 0 || (index + entry.id) % extra.length < 3)
  const data: Block[] = [
    text(first),
    { type: 'heading_styled', data: { text: texts.heading, 'heading-styles': 'h2', format: 'text' } },
    ...others.map(text),
    ...chosen,
  ]
  return JSON.stringify({ data })
}
