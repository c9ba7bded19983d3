import type { z } from 'zod'
import { Collection } from './collection'
import type { Persistence } from './persistence'

const key = 'value'

/** One stored value, with a default if none is stored. */
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
