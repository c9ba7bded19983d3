import type { Collection } from '../state/collection'

/**
 * Makes room in a collection that has `most` values: a tenth goes, those with the smallest `age` first, so that what is
 * kept is bounded and making room is rare.
 */
export function dropOldest<T>(collection: Collection<T>, most: number, age: (value: T) => number): void {
  if (collection.size < most) return
  const oldestFirst = collection.entries().sort(([, one], [, other]) => age(one) - age(other))
  for (const [key] of oldestFirst.slice(0, Math.ceil(most / 10))) collection.delete(key)
}
