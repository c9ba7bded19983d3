import { errorFields } from './error-fields'
import { KnownTexts } from './known-texts'
import { redactText } from './redact-text'
import { isSensitiveField } from './sensitive-names'

/** The user, whose name and home directory the log must not contain. */
interface Person {
  /** The home directory; empty if there is none. */
  readonly home: string
  readonly userName: string
}

const longestText = 8 * 1024
const mostEntries = 100
const deepest = 8
const shortestLearnt = 6

/** Removes from texts and fields what must not leave this computer: learned secrets, and everything that looks like one. */
export class Redactor {
  readonly #person: Person
  readonly #known = new KnownTexts()

  constructor(person: Person) {
    this.#person = person
    // A home such as `/` identifies nobody, and would match everywhere.
    if (person.home.length > 2) this.#known.add(person.home, '~')
  }

  /** Removes this text from now on, in any encoding (known-texts.ts); for a JSON object or list, every text in it. */
  learn(secret: string): void {
    for (const text of textsOf(secret)) if (text.length >= shortestLearnt) this.#known.add(text, '[secret]')
  }

  text(text: string): string {
    const length = shownLength(text)
    // A known text may extend beyond the part that is shown.
    const known = this.#known.replaceIn(text.slice(0, 2 * longestText), length)
    return `${redactText(known, this.#person.userName)}${length < text.length ? ' […]' : ''}`
  }

  /** Returns a copy that JSON can represent. Never throws. */
  value(value: unknown): unknown {
    return this.#value(value, 0)
  }

  #value(value: unknown, depth: number): unknown {
    switch (typeof value) {
      case 'string':
        return this.text(value)
      case 'number':
        return Number.isFinite(value) ? this.#number(value) : null
      case 'boolean':
      case 'undefined':
        return value
      case 'bigint':
        return this.text(value.toString())
      case 'function':
      case 'symbol':
        return undefined
      case 'object':
        return value === null ? null : this.#object(value, depth)
    }
  }

  #number(value: number): number | string {
    return this.#known.replaceIn(String(value)) === '[secret]' ? '[secret]' : value
  }

  #object(value: object, depth: number): unknown {
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
    if (depth >= deepest) return '[too deep]'
    if (Array.isArray(value)) {
      return value.slice(0, mostEntries).map((entry: unknown) => this.#value(entry, depth + 1))
    }
    const fields = value instanceof Error ? errorFields(value) : value
    return Object.fromEntries(
      Object.keys(fields)
        .slice(0, mostEntries)
        .map((name) => [this.text(name), this.#field(fields, name, depth)]),
    )
  }

  #field(owner: object, name: string, depth: number): unknown {
    try {
      const value: unknown = Reflect.get(owner, name)
      return isSensitiveField(name, value) ? '[secret]' : this.#value(value, depth + 1)
    } catch {
      return '[unreadable]'
    }
  }
}

/** Returns the length at which a long text is cut: between words, so that no unrecognizable piece of a secret remains. */
function shownLength(text: string): number {
  if (text.length <= longestText) return text.length
  return Math.max(0, text.slice(0, longestText).search(/\s\S*$/))
}

function textsOf(secret: string): string[] {
  try {
    const value: unknown = JSON.parse(secret)
    return typeof value === 'object' && value !== null ? leaves(value) : [secret]
  } catch {
    return [secret]
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leaves)
}
