/** The headers of a request or of an answer. */
export type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>

function areSame(some: Headers, others: Headers): boolean {
  for (const name in some) if (some[name] !== others[name]) return false
  for (const name in others) if (!Object.hasOwn(some, name)) return false
  return true
}

/**
 * Replaces headers by equal ones that came just before. Clients repeat theirs, and for objects that live as long as the journal
 * keeps them, the garbage collector takes longer than the comparison.
 */
export class SharedHeaders<H extends Headers> {
  #last: H | undefined

  /** Returns the previous headers if these are equal, or else these. */
  sharedOf(headers: H): H {
    if (this.#last === undefined || !areSame(headers, this.#last)) this.#last = headers
    return this.#last
  }
}
