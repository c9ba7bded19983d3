/** Characters of HTML that are read of one answer. The intros of a page of 50 entries are far shorter. */
const longestOfAnswer = 300_000

/** Limits the HTML that is read of one answer: reading HTML blocks the process, and a service may send any amount. */
export class HtmlAllowance {
  #left = longestOfAnswer
  #isExceeded = false

  /** True if a text was cut because the answer contains too much HTML. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Returns the part of a text that may be read, at most `longest` characters. */
  take(html: string, longest: number): string {
    const wanted = Math.min(html.length, longest)
    const taken = Math.min(wanted, this.#left)
    this.#left -= taken
    if (taken < wanted) this.#isExceeded = true
    return html.slice(0, taken)
  }
}
