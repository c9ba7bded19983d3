import type { ErrorReport } from '../../contract/error-codes'
import { Emitter } from '../emitter'

/** What the user should read before going on, such as a damaged file that was set aside; oldest first. */
export class Notices {
  #all: readonly ErrorReport[] = []
  readonly #changes: Emitter<void>

  /** `onDefect` is told of listeners that throw. */
  constructor(onDefect?: (error: unknown) => void) {
    this.#changes = new Emitter(onDefect)
  }

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
    return this.#changes.on(listener)
  }

  #become(all: readonly ErrorReport[]): void {
    this.#all = all
    this.#changes.emit()
  }
}
