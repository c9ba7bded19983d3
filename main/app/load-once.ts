/** Loads when it is first asked for; whoever asks gets the same from then on (docs/startup-time.md). */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}
