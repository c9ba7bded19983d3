import { CausewayError } from '../../errors'

interface Positioned {
  readonly name: string
  /** Counted from 1. */
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
/** OpenVPN reads at most 256 bytes of a line, 255 in a block, line end included; the rest becomes a line of its own. */
const maxLineBytes = 253
const maxWords = 16
/** NUL ends a line for OpenVPN, a lone CR or a form feed is a space to it; what is not UTF-8 decodes to U+FFFD. */
const readDifferently = /[^\P{Cc}\t\r\n]|\r(?!\n)|\uFFFD|\uFEFF/u

/**
 * Splits the text of a profile configuration into directives and inline blocks, as OpenVPN's own parser does
 * (openvpn.md, "The profile is hostile until rebuilt"). What OpenVPN could read in another way than this is refused.
 *
 * @throws CausewayError `profile-configuration/malformed` with `details: {line}`
 */
export function tokenizeConfiguration(text: string): ConfigurationItem[] {
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (Buffer.byteLength(body) > maxBytes) {
    throw malformed(1, `is larger than ${maxBytes / 1024} KiB`)
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
      throw malformed(index + 1, 'has text after the end of a block')
    }
    content.push(text)
  }
  throw malformed(start + 1, "starts a block that doesn't end")
}

function readableLine(lines: readonly string[], index: number): string {
  // The line end is put back so that a CR before it is told from a lone one.
  const line = `${lines[index] ?? ''}\n`
  if (readDifferently.test(line)) {
    throw malformed(index + 1, "contains a character that isn't allowed")
  }
  if (Buffer.byteLength(line) > maxLineBytes + 1) {
    throw malformed(index + 1, `is longer than ${maxLineBytes} bytes`)
  }
  return line.endsWith('\r\n') ? line.slice(0, -2) : line.slice(0, -1)
}

type State = 'between' | 'word' | 'double-quoted' | 'single-quoted'

/** A state machine with the transitions of OpenVPN's `parse_line` (options.c), quirks included: `"a""b"` is two words. */
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
        // An escaped space between words is a space, as it is to OpenVPN.
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
      throw malformed(line, "has a backslash before a character that doesn't need one")
    }
    escaped = false
  }

  if (escaped) {
    throw malformed(line, 'ends with a backslash')
  }
  if (state === 'word') {
    finish()
  }
  if (state !== 'between') {
    throw malformed(line, "has a quotation mark that isn't closed")
  }
  if (words.length > maxWords) {
    throw malformed(line, `has more than ${maxWords} words`)
  }
  return words
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t'
}

function malformed(line: number, what: string): CausewayError {
  return new CausewayError(
    'profile-configuration/malformed',
    `The profile's configuration can't be read: line ${line} ${what}. Ask the service's administrator to correct the profile.`,
    { details: { line } },
  )
}
