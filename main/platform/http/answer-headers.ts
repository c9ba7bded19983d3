/** The headers of an answer. */
export type AnswerHeaders = Pick<Headers, 'get' | 'has' | 'entries'>

/** Headers as undici returns them, without the cost of loading the class of fetch. Several of one name are joined, as there. */
export class ReceivedHeaders implements AnswerHeaders {
  readonly #headers: ReadonlyMap<string, string>

  /** @param received with names in lower case */
  constructor(received: Readonly<Record<string, string | string[] | undefined>>) {
    this.#headers = new Map(
      Object.entries(received).flatMap(([name, value = []]) =>
        value.length === 0 ? [] : [[name, [value].flat().join(', ')] as const],
      ),
    )
  }

  get(name: string): string | null {
    return this.#headers.get(name.toLowerCase()) ?? null
  }

  has(name: string): boolean {
    return this.#headers.has(name.toLowerCase())
  }

  entries() {
    return this.#headers.entries()
  }
}
