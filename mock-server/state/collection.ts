import type { z } from 'zod'

export interface Persistence {
  load(collection: string): [key: string, json: string][]
  /** Stores a value as JSON. */
  put(collection: string, key: string, value: unknown): void
  remove(collection: string, key: string): void
  clear(collection: string): void
  /** Runs `write` in a transaction: either all of its rows are stored or none. */
  together<T>(write: () => T): T
  close(): void
}

/** Drops the oldest tenth of a collection once it has `max` values, so that dropping is rare. */
export function dropOldest<T>(collection: Collection<T>, max: number, createdAt: (value: T) => number): void {
  if (collection.size < max) return
  const oldestFirst = collection.entries().sort(([, one], [, other]) => createdAt(one) - createdAt(other))
  for (const [key] of oldestFirst.slice(0, Math.ceil(max / 10))) collection.delete(key)
}

const key = 'value'

export class Single<T> {
  readonly #collection: Collection<T>
  readonly #start: T

  constructor(persistence: Persistence, name: string, schema: z.ZodType<T>, start: T) {
    this.#collection = new Collection(persistence, name, schema)
    this.#start = start
  }

  get(): T {
    return this.#collection.get(key) ?? this.#start
  }

  set(value: T): void {
    this.#collection.set(key, value)
  }
}

/** Values by key, in memory and written through to a persistence. Values are JSON and must never be mutated. */
export class Collection<T> {
  readonly #persistence: Persistence
  readonly #name: string
  readonly #values: Map<string, T>

  /** Loads the stored values. Throws an Error if one does not match the schema. */
  constructor(persistence: Persistence, name: string, schema: z.ZodType<T>) {
    this.#persistence = persistence
    this.#name = name
    this.#values = new Map(
      persistence.load(name).map(([key, json]): [string, T] => {
        const parsed = schema.safeParse(JSON.parse(json))
        if (!parsed.success) {
          throw new Error(`The data directory holds a damaged row, ${name}/${key}. Empty it to start over.`)
        }
        return [key, parsed.data]
      }),
    )
  }

  get size(): number {
    return this.#values.size
  }

  get(key: string): T | undefined {
    return this.#values.get(key)
  }

  keys(): string[] {
    return [...this.#values.keys()]
  }

  values(): T[] {
    return [...this.#values.values()]
  }

  entries(): [string, T][] {
    return [...this.#values]
  }

  set(key: string, value: T): void {
    this.#persistence.put(this.#name, key, value)
    this.#values.set(key, value)
  }

  delete(key: string): boolean {
    if (!this.#values.has(key)) return false
    this.#persistence.remove(this.#name, key)
    return this.#values.delete(key)
  }

  clear(): void {
    this.#persistence.clear(this.#name)
    this.#values.clear()
  }
}
