import { isDeepStrictEqual } from 'node:util'
import type { ErrorReport } from '../../../contract/error-codes'
import { Emitter } from '../../emitter'

/** Notices for the user, such as a damaged file that was moved away; oldest first. */
export class Notices {
  #all: readonly ErrorReport[] = []
  readonly #changes: Emitter<void>

  /** `onDefect` is called with the errors of listeners. */
  constructor(onDefect?: (error: unknown) => void) {
    this.#changes = new Emitter(onDefect)
  }

  get all(): readonly ErrorReport[] {
    return this.#all
  }

  /** Adds a notice as the newest. One that comes again takes the place of the earlier one: a window can stay closed for weeks. */
  add(notice: ErrorReport): void {
    this.#set([...this.#all.filter((each) => !isDeepStrictEqual(each, notice)), notice])
  }

  /** Removes outdated notices. */
  remove(isOutdated: (notice: ErrorReport) => boolean): void {
    const current = this.#all.filter((notice) => !isOutdated(notice))
    if (current.length < this.#all.length) this.#set(current)
  }

  clear(): void {
    this.#set([])
  }

  /** Subscribes to changes; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    return this.#changes.on(listener)
  }

  #set(all: readonly ErrorReport[]): void {
    this.#all = all
    this.#changes.emit()
  }
}
