import { errorFields } from './error-fields'
import { type Person, redactText } from './redact-text'
import { isSensitiveField } from './sensitive-names'

const longestText = 8 * 1024
const longestSecret = 1024
const mostEntries = 100
const deepest = 8
const shortestLearnt = 6

/** Takes out of texts and fields what may not leave this computer: what it was told, and what looks like it. */
export class Redactor {
  readonly #person: Person
  readonly #learnt = new Set<string>()

  constructor(person: Person) {
    this.#person = person
  }

  /** From now on this very text is taken out, whatever it looks like; every text in it where it is JSON. */
  learn(secret: string): void {
    for (const text of textsOf(secret)) if (text.length >= shortestLearnt) this.#learnt.add(text)
  }

  text(text: string): string {
    return this.#withoutLearnt(redactText(this.#withoutLearnt(shortened(text)), this.#person))
  }

  /** A copy that JSON can hold. Never throws. */
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
    return this.#learnt.has(String(value)) ? '[secret]' : value
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

  #withoutLearnt(text: string): string {
    let rest = text
    for (const secret of this.#learnt) rest = rest.replaceAll(secret, '[secret]')
    return rest
  }
}

/** Cut between words, so that no piece of a secret is left that is too short to be known as one. */
function shortened(text: string): string {
  if (text.length <= longestText) return text
  const head = text.slice(0, longestText)
  const lastSpace = head.search(/\s\S*$/)
  return `${lastSpace > longestText - longestSecret ? head.slice(0, lastSpace) : head} […]`
}

function textsOf(secret: string): string[] {
  try {
    return [secret, ...leaves(JSON.parse(secret))]
  } catch {
    return [secret]
  }
}

function leaves(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(leaves)
}
