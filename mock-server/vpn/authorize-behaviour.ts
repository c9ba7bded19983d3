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

/** Overrides the outcome of authorization requests that the mock was started with. Not persisted. */
export class AuthorizeBehaviour {
  /** The outcome of the next `times` authorization requests; without `times`, of all. */
  decided: { next: AuthorizeOutcome; times?: number | undefined } | undefined

  /** Returns the outcome of this request and counts it; undefined without an override. */
  take(): AuthorizeOutcome | undefined {
    const { decided } = this
    if (decided?.times !== undefined) {
      const left = decided.times - 1
      this.decided = left > 0 ? { ...decided, times: left } : undefined
    }
    return decided?.next
  }
}
