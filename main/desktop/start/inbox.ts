/** Keeps what arrives until somebody takes it. */
export class Inbox<Item> {
  readonly #waiting: Item[] = []
  #take: ((item: Item) => void) | undefined

  put(item: Item): void {
    if (this.#take === undefined) this.#waiting.push(item)
    else this.#take(item)
  }

  /** Hands over what waits, in order, and everything from now on. */
  onEach(take: (item: Item) => void): void {
    this.#take = take
    for (const item of this.#waiting.splice(0)) take(item)
  }
}
