/** Maximum number of encodings: JSON in JSON in a query string is three. */
const deepest = 3

/** Shorter forms could occur in any word. */
const shortestForm = 6

/**
 * A case-folded text after some rounds of decoding. Its unit `i` came from the units `from[i]` to `to[i]` of the original.
 */
interface Layer {
  text: string
  readonly from: number[]
  readonly to: number[]
}

interface Range {
  readonly from: number
  readonly to: number
  readonly replacement: string
}

/**
 * Finds texts in every form that a log may contain: in upper and lower case, percent-encoded, escaped as in JSON,
 * JavaScript or HTML, in any mixture of these and up to three times, and inside base64 or base64url.
 */
export class KnownTexts {
  /** Replacements by the folded form that is searched for. */
  readonly #replacements = new Map<string, string>()

  add(text: string, replacement: string): void {
    this.#replacements.set(fold(text), replacement)
    // If the text looks encoded itself, an earlier layer may have decoded it.
    const alike = [...base64Forms(text).map(fold), ...layers(text).map((layer) => layer.text)]
    for (const form of alike) if (form.length >= shortestForm) this.#replacements.set(form, replacement)
  }

  /** Returns the first `length` units of the text, without known texts that start in them. */
  replaceIn(text: string, length = text.length): string {
    if (this.#replacements.size === 0) return text.slice(0, length)
    let result = ''
    let end = 0
    for (const { from, to, replacement } of this.#ranges(text)) {
      if (from >= length) break
      if (from >= end) result += text.slice(end, from) + replacement
      end = Math.max(end, to)
    }
    return result + text.slice(end, Math.max(end, length))
  }

  #ranges(text: string): Range[] {
    const ranges: Range[] = []
    for (const layer of layers(text)) {
      for (const [form, replacement] of this.#replacements) {
        let at = layer.text.indexOf(form)
        while (at !== -1) {
          const from = layer.from[at] ?? 0
          ranges.push({ from, to: layer.to[at + form.length - 1] ?? from, replacement })
          at = layer.text.indexOf(form, at + 1)
        }
      }
    }
    return ranges.sort((a, b) => a.from - b.from || b.to - a.to)
  }
}

/**
 * Returns the base64 forms of a text inside any other text: one form for each position in the groups of three bytes,
 * without the characters that its neighbours affect.
 */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)])
    const [first, end] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)]
    return bytes.toString('base64').slice(first, end)
  })
}

/** Folds case, spaces, and the variants that base64url and forms use. */
function fold(text: string): string {
  return text.toLowerCase().toUpperCase().replaceAll(/[ -]/g, '+').replaceAll('_', '/')
}

/** Returns the text, and the text after each round of decoding that changes it. */
function layers(text: string): Layer[] {
  const all: Layer[] = []
  let next: Layer | undefined = original(text)
  while (next !== undefined && all.length <= deepest) {
    all.push(next)
    next = decoded(next)
  }
  return all
}

function append(layer: Layer, text: string, from: number, to: number): void {
  const folded = fold(text)
  layer.text += folded
  layer.from.push(...Array<number>(folded.length).fill(from))
  layer.to.push(...Array<number>(folded.length).fill(to))
}

function original(text: string): Layer {
  if (/^\p{ASCII}*$/u.test(text)) {
    const from = Array.from(text, (_, index) => index)
    return { text: fold(text), from, to: from.map((index) => index + 1) }
  }
  const layer: Layer = { text: '', from: [], to: [] }
  let at = 0
  for (const character of text) {
    append(layer, character, at, at + character.length)
    at += character.length
  }
  return layer
}

/** One encoded character after folding; complete sequences of UTF-8 or UTF-16 where possible. */
const encoded = new RegExp(
  [
    '%[0-7][0-9A-F]',
    '%[CD][0-9A-F](?:%[89AB][0-9A-F])',
    '%E[0-9A-F](?:%[89AB][0-9A-F]){2}',
    '%F[0-7](?:%[89AB][0-9A-F]){3}',
    String.raw`\\UD[89AB][0-9A-F]{2}\\UD[C-F][0-9A-F]{2}`,
    String.raw`\\U[0-9A-F]{4}`,
    String.raw`\\U\{[0-9A-F]{1,6}\}`,
    String.raw`\\X[0-9A-F]{2}`,
    String.raw`\\[^UX]`,
    '&#X[0-9A-F]{1,6};',
    '&#[0-9]{1,7};',
    '&[A-Z]{2,8};',
  ].join('|'),
  'g',
)

/** Decodes one round; undefined if nothing is encoded. */
function decoded(layer: Layer): Layer | undefined {
  const next: Layer = { text: '', from: [], to: [] }
  let end = 0
  const keep = (upTo: number): void => {
    next.text += layer.text.slice(end, upTo)
    for (let unit = end; unit < upTo; unit += 1) {
      next.from.push(layer.from[unit] ?? 0)
      next.to.push(layer.to[unit] ?? 0)
    }
  }
  for (const { 0: found, index } of layer.text.matchAll(encoded)) {
    const character = decodeOne(found)
    if (character === undefined) continue
    keep(index)
    end = index + found.length
    append(next, character, layer.from[index] ?? 0, layer.to[end - 1] ?? 0)
  }
  if (end === 0) return undefined
  keep(layer.text.length)
  return next
}

function decodeOne(found: string): string | undefined {
  if (found.startsWith('%')) return percentDecoded(found)
  if (found.startsWith('&#')) {
    const digits = found.slice(2, -1)
    return codePoint(digits.startsWith('X') ? Number.parseInt(digits.slice(1), 16) : Number(digits))
  }
  if (found.startsWith('&')) return namedCharacters.get(found.slice(1, -1))
  if (found.startsWith('\\U{')) return codePoint(Number.parseInt(found.slice(3, -1), 16))
  const [first = '', ...rest] = found.split('\\').slice(1)
  if (/^[UX]/.test(first)) {
    const units = [first, ...rest].map((digits) => Number.parseInt(digits.slice(1), 16))
    return String.fromCharCode(...units)
  }
  return escapedCharacters.get(found.slice(1)) ?? found.slice(1)
}

function percentDecoded(found: string): string | undefined {
  try {
    return decodeURIComponent(found)
  } catch {
    return undefined
  }
}

function codePoint(number: number): string | undefined {
  return number <= 0x10ffff ? String.fromCodePoint(number) : undefined
}

const escapedCharacters: ReadonlyMap<string, string> = new Map([
  ['B', '\b'],
  ['F', '\f'],
  ['N', '\n'],
  ['R', '\r'],
  ['T', '\t'],
  ['V', '\v'],
  ['0', '\0'],
])

/** HTML's names of ASCII characters; letters and digits have none. */
const namedCharacters: ReadonlyMap<string, string> = new Map(
  [
    'TAB \t,NEWLINE \n,NBSP  ,EXCL !,QUOT ",NUM #,DOLLAR $,PERCNT %,AMP &,APOS \',LPAR (,RPAR ),AST *,MIDAST *',
    'PLUS +,PERIOD .,SOL /,COLON :,SEMI ;,LT <,EQUALS =,GT >,QUEST ?,COMMAT @,LSQB [,LBRACK [,BSOL \\,RSQB ]',
    'RBRACK ],HAT ^,LOWBAR _,UNDERBAR _,GRAVE `,LCUB {,LBRACE {,VERBAR |,VERT |,RCUB },RBRACE }',
  ]
    .flatMap((line) => line.split(','))
    .map((entry): [string, string] => [
      entry.slice(0, entry.indexOf(' ')),
      entry.slice(entry.indexOf(' ') + 1),
    ])
    .concat([['COMMA', ',']]),
)
