import type { ErrorReport } from '../errors'

/** What the user should read before going on, such as a damaged file that was set aside; oldest first. */
export class Notices {
  #all: readonly ErrorReport[] = []
  readonly #listeners = new Set<() => void>()

  get all(): readonly ErrorReport[] {
    return this.#all
  }

  add(notice: ErrorReport): void {
    this.#become([...this.#all, notice])
  }

  /** Takes away those that are of no use any more. */
  remove(isOutdated: (notice: ErrorReport) => boolean): void {
    const left = this.#all.filter((notice) => !isOutdated(notice))
    if (left.length < this.#all.length) this.#become(left)
  }

  clear(): void {
    this.#become([])
  }

  /** Calls back after every change; returns how to stop it. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #become(all: readonly ErrorReport[]): void {
    this.#all = all
    for (const listener of this.#listeners) listener()
  }
}
