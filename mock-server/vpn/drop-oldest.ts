import type { Collection } from '../state/collection'

/**
 * Bounds a collection: once it has `max` values, drops the tenth of them (max / 10) with the smallest `createdAt`, so
 * that dropping is rare.
 */
export function dropOldest<T>(collection: Collection<T>, max: number, createdAt: (value: T) => number): void {
  if (collection.size < max) return
  const oldestFirst = collection.entries().sort(([, one], [, other]) => createdAt(one) - createdAt(other))
  for (const [key] of oldestFirst.slice(0, Math.ceil(max / 10))) collection.delete(key)
}
