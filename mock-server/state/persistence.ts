/** Stores the rows of collections. Values are JSON text. */
export interface Persistence {
  load(collection: string): [key: string, json: string][]
  put(collection: string, key: string, json: string): void
  remove(collection: string, key: string): void
  clear(collection: string): void
  /** Runs `write` in a transaction: either all of its rows are stored or none. */
  together<T>(write: () => T): T
  close(): void
}

/** Stores nothing: without `--data-dir`, data ends with the process. */
export const inMemory: Persistence = {
  load: () => [],
  put: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
  together: (write) => write(),
  close: () => undefined,
}
