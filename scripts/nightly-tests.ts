/** Tells whether this is a run of `npm run test:nightly`, in which randomized tests run longer. */
export const isNightly = process.env.CAUSEWAY_NIGHTLY === '1'

/** Returns the number of repetitions: `each` for every change, twenty times as many at night. */
export function amount(each: number): number {
  return isNightly ? 20 * each : each
}

/** Returns parameters for fast-check: a few fixed cases for every change, many new ones each night. */
export function cases(each: number): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: amount(each), ...(isNightly ? {} : { seed: 1 }) }
}

/** Returns parameters for fast-check: a few fixed cases for every change, new ones for half a minute each night. */
export function casesInTime(each: number): {
  readonly numRuns: number
  readonly seed?: number
  readonly interruptAfterTimeLimit?: number
} {
  return isNightly ? { numRuns: 1e9, interruptAfterTimeLimit: 30_000 } : { numRuns: each, seed: 1 }
}
