/** Whether this is a run of `npm run test:nightly`, for which tests with chance in them take long. */
export const isNightly = process.env.CAUSEWAY_NIGHTLY === '1'

/** How much of something a test does: `each` for every change, twenty times that at night. */
export function amount(each: number): number {
  return isNightly ? 20 * each : each
}

/** Parameters for fast-check: the same few cases for every change, many others each night. */
export function cases(each: number): { readonly numRuns: number; readonly seed?: number } {
  return { numRuns: amount(each), ...(isNightly ? {} : { seed: 1 }) }
}
