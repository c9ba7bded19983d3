import { styleText } from 'node:util'
import { language } from './language'

/** The abilities of the terminal that shows the output. */
export interface Screen {
  /** The width in cells; undefined if the output isn't shown by a terminal. */
  readonly columns: number | undefined
  readonly colours: boolean
  /** Only ASCII is sure to be shown. */
  readonly ascii: boolean
}

/** The mood of a word: its colour. */
export type Mood = 'good' | 'limited' | 'bad'

const colours = { good: 'green', limited: 'yellow', bad: 'red' } as const

/** Returns the abilities of the terminal of a stream, with the user's wish for no colours (no-color.org). */
export function screenOf(
  stream: { readonly isTTY?: boolean; readonly columns?: number } = process.stdout,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Screen {
  const isTerminal = stream.isTTY === true
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => (value ?? '') !== '')
  return {
    columns: isTerminal && (stream.columns ?? 0) > 0 ? stream.columns : undefined,
    colours: isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb',
    ascii: locale === 'C' || locale === 'POSIX',
  }
}

const plain: Readonly<Record<string, string>> = {
  '…': '...',
  '“': '"',
  '”': '"',
  '„': '"',
  '‘': "'",
  '’': "'",
  '·': '-',
  '–': '-',
  '—': '-',
}

/** Replaces typographic characters of Causeway's own sentences. Names in other scripts stay as they are. */
export function withoutTypography(text: string): string {
  return text.replaceAll(/[…“”„‘’·–—]/g, (character) => plain[character] ?? character)
}

/** Colours these words where they begin a line. */
export function colouredStarts(text: string, moods: Readonly<Record<string, Mood>>): string {
  return Object.entries(moods).reduce(
    (coloured, [word, mood]) =>
      coloured
        .split('\n')
        .map((line) =>
          line.startsWith(word) ? `${styleText(colours[mood], word)}${line.slice(word.length)}` : line,
        )
        .join('\n'),
    text,
  )
}

/** Returns the number of cells that a text takes: two for each character of East Asian scripts, and for each emoji. */
export function cells(text: string): number {
  return charactersOf(text).reduce((sum, character) => sum + cellsOf(character), 0)
}

function charactersOf(text: string): string[] {
  // What takes a cell each needs no division.
  if (/^[\x20-\x7e]*$/.test(text)) return text.split('')
  return [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(
    ({ segment }) => segment,
  )
}

function cellsOf(character: string): number {
  return wide.test(character) ? 2 : 1
}

/** Cuts a text off that takes more than this number of cells, with `ellipsis` as its end. */
export function cut(text: string, width: number, ellipsis: string): string {
  if (cells(text) <= width) return text
  let room = width - cells(ellipsis)
  let kept = ''
  for (const character of charactersOf(text)) {
    room -= cellsOf(character)
    if (room < 0) break
    kept += character
  }
  return kept + ellipsis
}

/** Fills a text with spaces to this number of cells. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - cells(text)))
}

/**
 * Breaks a text between words for a screen of this width, each line after as many spaces. A text stays as it is where its width
 * is unknown, and a word that is too long for a line.
 */
export function wrapped(text: string, indent: number, columns = screenOf().columns): string {
  const margin = ' '.repeat(indent)
  if (columns === undefined) return margin + text
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && indent + cells(longer) <= columns) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((line) => margin + line).join('\n')
}

const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

/** Returns a day for people: in their time zone and language. */
export function localDay(time: Date): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(time)
}

/** Returns a time for people: in their time zone and language. `--json` has ISO 8601 instead. */
export function localTime(time: Date): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(time)
}
