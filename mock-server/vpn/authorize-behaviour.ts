/** What an authorization request can meet instead of what the mock was started with. */
export const authorizeOutcomes = [
  'approve',
  'deny',
  'page',
  'error-page',
  'wrong-state',
  'no-state',
  'wrong-iss',
  'no-answer',
  'server-error',
  'invalid-scope-redirect',
] as const
export type AuthorizeOutcome = (typeof authorizeOutcomes)[number]

/** What the next authorization requests meet; `times` is left out where it lasts. */
export interface NextOutcome {
  next: AuthorizeOutcome
  times?: number
}

/** Decides over authorization requests, whatever the mock was started with. Ends with the mock. */
export class AuthorizeBehaviour {
  #decided: NextOutcome | undefined

  get decided(): NextOutcome | undefined {
    return this.#decided
  }

  decide(outcome: NextOutcome): void {
    this.#decided = outcome
  }

  /** Back to what the mock was started with. */
  settle(): void {
    this.#decided = undefined
  }

  /** What the next request meets, which is not counted; undefined where nothing was decided. */
  get next(): AuthorizeOutcome | undefined {
    return this.#decided?.next
  }

  /** What this request meets, counted; undefined where nothing was decided. */
  take(): AuthorizeOutcome | undefined {
    const decided = this.#decided
    if (decided?.times !== undefined) {
      const left = decided.times - 1
      this.#decided = left > 0 ? { ...decided, times: left } : undefined
    }
    return decided?.next
  }
}
