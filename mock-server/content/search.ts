import type { Entry } from './answer-schemas'
import type { HeldEntry } from './content-data'
import { newestFirst } from './selection'

/** Returns the address without parts that do not change the page: fragment, trailing slashes, `utm_…` parameters. */
function pageAddress(text: string): string {
  const url = new URL(text)
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) {
    if (/^utm_/i.test(name)) url.searchParams.delete(name)
  }
  if (url.searchParams.size === 0) url.search = ''
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '')
  return url.href
}

export function entryAt(entries: HeldEntry[], address: string): HeldEntry | undefined {
  const wanted = pageAddress(address)
  return entries.find(({ entry }) => entry.url === wanted)
}

const characters: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

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
