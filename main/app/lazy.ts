/** Returns a function that loads at the first call and then always returns the same result (docs/startup-time.md). */
export function lazy<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
