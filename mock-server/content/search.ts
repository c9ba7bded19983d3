import type { Entry } from './answer-schemas'
import type { HeldEntry } from './content-data'
import { newestFirst } from './selection'

const characters: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Returns the text of HTML without its markup. */
export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

const hashtag = /#[\p{L}\p{M}\p{N}_]+/gu

/**
 * Returns the entries with every word of `q` in title or intro, ignoring case, newest first. A hashtag matches only as
 * a whole: `#vpn` does not match `#vpnclient`.
 */
export function searchEntries(entries: HeldEntry[], q: string): Entry[] {
  const words = folded(q)
    .split(/\s+/)
    .filter((word) => word !== '')
  return newestFirst(
    entries.filter(({ entry }) => {
      const text = folded(`${entry.title} ${textOf(entry.intro)}`)
      const tags = new Set(text.match(hashtag))
      return words.every((word) =>
        word.length > 1 && word.startsWith('#') ? tags.has(word) : text.includes(word),
      )
    }),
  )
}
