/** Where collections keep their rows. Values are JSON text. */
export interface Persistence {
  /** The rows that a collection had when the last mock ended. */
  load(collection: string): [key: string, json: string][]
  put(collection: string, key: string, json: string): void
  remove(collection: string, key: string): void
  clear(collection: string): void
  /** Does all of it or nothing: either every row written inside is kept, or none. */
  together<T>(write: () => T): T
  close(): void
}

/** Keeps nothing: what a mock without `--data-dir` holds ends with it. */
export const inMemory: Persistence = {
  load: () => [],
  put: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
  together: (write) => write(),
  close: () => undefined,
}
