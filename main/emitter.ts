/**
 * Calls back those who listen, in the order in which they began to. A listener that throws is reported as a defect; it stops
 * neither the others nor the one that emits.
 */
export class Emitter<T> {
  readonly #listeners = new Set<(value: T) => void>()
  readonly #onDefect: (error: unknown) => void

  constructor(onDefect: (error: unknown) => void = asUnhandled) {
    this.#onDefect = onDefect
  }

  /** Returns how to stop listening. */
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

  /** Stops all listeners. */
  clear(): void {
    this.#listeners.clear()
  }
}

function asUnhandled(error: unknown): void {
  void Promise.reject(
    error instanceof Error ? error : new Error('A listener threw something else than an error.'),
  )
}
