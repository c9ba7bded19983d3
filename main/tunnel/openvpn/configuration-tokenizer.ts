import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'

interface Positioned {
  readonly name: string
  /** Line number, starting at 1. */
  readonly line: number
}

export interface Directive extends Positioned {
  readonly kind: 'directive'
  readonly arguments: readonly string[]
}

/** `<name>` … `</name>`. */
export interface InlineBlock extends Positioned {
  readonly kind: 'block'
  readonly content: readonly string[]
}

export type ConfigurationItem = Directive | InlineBlock

const maxBytes = 256 * 1024
/** OpenVPN reads at most 256 bytes of a line, 255 in a block, including the line end; the rest becomes another line. */
export const maxLineBytes = 253
const maxWords = 16
/** Characters that OpenVPN reads differently: NUL ends a line, a CR within it or a form feed is a space. */
const readDifferently = /[^\P{Cc}\t\r\n]|\r(?!\r*\n)|\uFEFF/u
/** What bytes that aren't UTF-8 decode to. They are harmless in a comment, such as one in Latin-1, and around a PEM text. */
const undecoded = '\uFFFD'

/**
 * Splits the text of a profile configuration into directives and inline blocks, like OpenVPN's own parser (openvpn.md, "The
 * profile is hostile until rebuilt"). Rejects everything that OpenVPN could read differently.
 *
 * @param firstLine the number of the text's first line: another than 1 for the content of a block
 * @throws CausewayError `profile-configuration/malformed` with `details: {line}`
 */
export function tokenizeConfiguration(text: string, firstLine = 1): ConfigurationItem[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (Buffer.byteLength(body) > maxBytes) {
    throw malformed(firstLine, 'too-large')
  }
  const lines = body.split('\n')
  const items: ConfigurationItem[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = index + firstLine
    const [first, ...rest] = splitWords(readableLine(lines[index], line), line)
    if (first === undefined) {
      continue
    }
    const name = first.length > 2 && first.startsWith('--') ? first.slice(2) : first
    if (rest.length === 0 && name.length > 1 && name.startsWith('<') && name.endsWith('>')) {
      const block = readBlock(lines, index, name.slice(1, -1), line)
      items.push(block)
      index += block.content.length + 1
    } else {
      items.push({ kind: 'directive', name, arguments: rest, line })
    }
  }
  return items
}

function readBlock(lines: readonly string[], start: number, name: string, line: number): InlineBlock {
  const endTag = `</${name}>`
  const content: string[] = []
  for (let index = start + 1; index < lines.length; index += 1) {
    const here = line + index - start
    const text = readableLine(lines[index], here).replace(/^[ \t]+|[ \t]+$/g, '')
    if (text === endTag) {
      return { kind: 'block', name, content, line }
    }
    if (text.startsWith(endTag)) {
      throw malformed(here, 'text-after-block')
    }
    content.push(text)
  }
  throw malformed(line, 'open-block')
}

function readableLine(text = '', number: number): string {
  // The restored line end distinguishes its CR from a lone one.
  const line = `${text}\n`
  if (readDifferently.test(line)) {
    throw malformed(number, 'character')
  }
  if (Buffer.byteLength(line.replaceAll(undecoded, '?')) > maxLineBytes + 1) {
    throw malformed(number, 'long-line')
  }
  return line.replace(/\r*\n$/, '')
}

type State = 'between' | 'word' | 'double-quoted' | 'single-quoted'

/** Splits a line with the state machine of OpenVPN's `parse_line` (options.c), including quirks: `"a""b"` is two words. */
function splitWords(text: string, line: number): string[] {
  const words: string[] = []
  let state: State = 'between'
  let word = ''
  let escaped = false
  const finish = () => {
    words.push(word)
    word = ''
    state = 'between'
  }

  for (const character of text) {
    if (!escaped && character === '\\' && state !== 'single-quoted') {
      escaped = true
      continue
    }
    const special = !escaped
    if (state === 'between') {
      if (isSpace(character)) {
        // OpenVPN treats an escaped space between words as a space.
      } else if (character === ';' || character === '#') {
        break
      } else if (special && character === '"') {
        state = 'double-quoted'
      } else if (special && character === "'") {
        state = 'single-quoted'
      } else {
        state = 'word'
        word = character
      }
    } else if (
      (state === 'word' && special && isSpace(character)) ||
      (state === 'double-quoted' && special && character === '"') ||
      (state === 'single-quoted' && character === "'")
    ) {
      finish()
    } else {
      word += character
    }
    if (escaped && state !== 'between' && !(character === '\\' || character === '"' || isSpace(character))) {
      throw malformed(line, 'escape')
    }
    escaped = false
  }

  if (escaped) {
    throw malformed(line, 'final-backslash')
  }
  if (state === 'word') {
    finish()
  }
  if (state !== 'between') {
    throw malformed(line, 'open-quote')
  }
  if (words.length > maxWords) {
    throw malformed(line, 'words')
  }
  if (words.some((each) => each.includes(undecoded))) {
    throw malformed(line, 'character')
  }
  return words
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t'
}

function malformed(line: number, variant: VariantOf<'profile-configuration/malformed'>): CausewayError {
  return new CausewayError('profile-configuration/malformed', { variant, details: { line } })
}
