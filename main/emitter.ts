/**
 * Calls listeners in the order in which they were added. A listener that throws is reported as a defect, and stops neither
 * the other listeners nor the caller of `emit`.
 */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #onDefect: (error: unknown) => void

  constructor(onDefect: (error: unknown) => void = asUnhandled) {
    this.#onDefect = onDefect
  }

  /** Adds a listener; returns a function that removes it. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  emit(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value)
      } catch (error) {
        this.#onDefect(error)
      }
    }
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear()
  }
}

function asUnhandled(error: unknown): void {
  void Promise.reject(
    error instanceof Error ? error : new Error('A listener threw something else than an error.'),
  )
}
