import type { Collection } from '../state/collection'

/**
 * Bounds a collection: once it has `most` values, drops the tenth with the smallest `age`, so that dropping is rare.
 */
export function dropOldest<T>(collection: Collection<T>, most: number, age: (value: T) => number): void {
  if (collection.size < most) return
  const oldestFirst = collection.entries().sort(([, one], [, other]) => age(one) - age(other))
  for (const [key] of oldestFirst.slice(0, Math.ceil(most / 10))) collection.delete(key)
}
