import type { LocalizedValue } from '../portal'

/** Something with a name that people search for. */
interface Searchable {
  readonly displayName: LocalizedValue
  readonly keywords: LocalizedValue | undefined
}

/** Letters that Unicode doesn't decompose, as people type them without the right keyboard. */
const plainLetters: Readonly<Record<string, string>> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ς: 'σ',
}

/** A text without case, diacritics and punctuation, its words with one space between them. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/[øłđðþæœς]/gu, (letter) => plainLetters[letter] ?? letter)
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
}

interface Indexed<Item> {
  readonly item: Item
  readonly names: readonly string[]
  readonly keywords: readonly string[]
}

/** Finds items by their names and keywords in all languages. */
export class SearchIndex<Item extends Searchable> {
  readonly items: readonly Item[]
  readonly #entries: readonly Indexed<Item>[]

  constructor(items: readonly Item[]) {
    this.items = items
    this.#entries = items.map((item) => ({
      item,
      names: textsOf(item.displayName).map(fold),
      keywords: textsOf(item.keywords).map(fold),
    }))
  }

  /**
   * Returns the items that match all words in any order. Sorted by rank: names that begin with the words, then names with
   * a word that does, then the others. Equal ranks are sorted by the shown name.
   */
  search(words: string, languages: readonly string[]): readonly Item[] {
    const query = fold(words)
    if (query === '') return []
    const wanted = query.split(' ')
    const collator = new Intl.Collator([...languages].filter(isTag))
    return this.#entries
      .flatMap((entry) => {
        const rank = rankOf(entry, query, wanted)
        return rank === undefined
          ? []
          : [{ item: entry.item, rank, name: displayText(entry.item.displayName, languages) }]
      })
      .sort((one, other) => one.rank - other.rank || collator.compare(one.name, other.name))
      .map(({ item }) => item)
  }
}

function rankOf(
  { names, keywords }: Indexed<unknown>,
  query: string,
  wanted: readonly string[],
): number | undefined {
  const all = [...names, ...keywords]
  if (!wanted.every((word) => all.some((text) => text.includes(word)))) return undefined
  if (names.some((name) => name.startsWith(query))) return 0
  const begins = (text: string, word: string): boolean => ` ${text}`.includes(` ${word}`)
  if (wanted.every((word) => names.some((name) => begins(name, word)))) return 1
  if (wanted.every((word) => all.some((text) => begins(text, word)))) return 2
  return 3
}

function textsOf(value: LocalizedValue | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : Object.values(value)
}

/**
 * Returns the text for these languages (BCP 47), preferred ones first (api-v3-facts.md, section 9): for each of them the
 * exact tag, one that begins with it, or one that begins with its primary language; else English, else any.
 */
export function displayText(value: LocalizedValue, languages: readonly string[]): string {
  if (typeof value === 'string') return value
  const texts = Object.entries(value)
    .filter(([, text]) => text !== '')
    .map(([tag, text]) => [tag.replaceAll('_', '-').toLowerCase(), text] as const)
  const starting = (tag: string) => texts.find(([each]) => each === tag || each.startsWith(`${tag}-`))?.[1]
  const exact = (tag: string) => texts.find(([each]) => each === tag)?.[1]
  for (const language of languages) {
    const tag = language.toLowerCase()
    const [primary = tag] = tag.split('-')
    const found = exact(tag) ?? starting(tag) ?? exact(primary) ?? starting(primary)
    if (found !== undefined) return found
  }
  return exact('en-us') ?? exact('en') ?? texts[0]?.[1] ?? ''
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}
