/** The headers of a request or of an answer. */
export type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>

function areSame(some: Headers, others: Headers): boolean {
  for (const name in some) if (some[name] !== others[name]) return false
  for (const name in others) if (!Object.hasOwn(some, name)) return false
  return true
}

/**
 * Keeps equal headers once. Clients repeat theirs, and new objects that live as long as the journal does cost the garbage
 * collector more than the comparison.
 */
export class SharedHeaders<H extends Headers> {
  #last: H | undefined

  /** Returns the headers before if these are the same. */
  sharedOf(headers: H): H {
    if (this.#last === undefined || !areSame(headers, this.#last)) this.#last = headers
    return this.#last
  }
}
