/**
 * Returns a function that loads at the first call and then always returns the same result (docs/startup-time.md). After a
 * failure, the next call loads again: a load fails while an update replaces the program's files, for example.
 */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}
