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
const maxLineBytes = 253
const maxWords = 16
/**
 * Characters that OpenVPN reads differently: NUL ends a line, a lone CR or a form feed is a space; invalid UTF-8 decodes to
 * U+FFFD.
 */
const readDifferently = /[^\P{Cc}\t\r\n]|\r(?!\n)|\uFFFD|\uFEFF/u

/**
 * Splits the text of a profile configuration into directives and inline blocks, like OpenVPN's own parser (openvpn.md, "The
 * profile is hostile until rebuilt"). Rejects everything that OpenVPN could read differently.
 *
 * @throws CausewayError `profile-configuration/malformed` with `details: {line}`
 */
export function tokenizeConfiguration(text: string): ConfigurationItem[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (Buffer.byteLength(body) > maxBytes) {
    throw malformed(1, 'too-large')
  }
  const lines = body.split('\n')
  const items: ConfigurationItem[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const line = index + 1
    const [first, ...rest] = splitWords(readableLine(lines, index), line)
    if (first === undefined) {
      continue
    }
    const name = first.length > 2 && first.startsWith('--') ? first.slice(2) : first
    if (rest.length === 0 && name.length > 1 && name.startsWith('<') && name.endsWith('>')) {
      const block = readBlock(lines, index, name.slice(1, -1))
      items.push(block)
      index += block.content.length + 1
    } else {
      items.push({ kind: 'directive', name, arguments: rest, line })
    }
  }
  return items
}

function readBlock(lines: readonly string[], start: number, name: string): InlineBlock {
  const endTag = `</${name}>`
  const content: string[] = []
  for (let index = start + 1; index < lines.length; index += 1) {
    const text = readableLine(lines, index).replace(/^[ \t]+|[ \t]+$/g, '')
    if (text === endTag) {
      return { kind: 'block', name, content, line: start + 1 }
    }
    if (text.startsWith(endTag)) {
      throw malformed(index + 1, 'text-after-block')
    }
    content.push(text)
  }
  throw malformed(start + 1, 'open-block')
}

function readableLine(lines: readonly string[], index: number): string {
  // The restored line end distinguishes its CR from a lone one.
  const line = `${lines[index] ?? ''}\n`
  if (readDifferently.test(line)) {
    throw malformed(index + 1, 'character')
  }
  if (Buffer.byteLength(line) > maxLineBytes + 1) {
    throw malformed(index + 1, 'long-line')
  }
  return line.endsWith('\r\n') ? line.slice(0, -2) : line.slice(0, -1)
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
  return words
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t'
}

function malformed(line: number, variant: VariantOf<'profile-configuration/malformed'>): CausewayError {
  return new CausewayError('profile-configuration/malformed', { variant, details: { line } })
}
