/** Returns whether this is a run of `npm run test:nightly`, in which randomized tests run longer. */
export const isNightly = process.env.CAUSEWAY_NIGHTLY === '1'

/** Returns the number of repetitions: `each` for every change, twenty times as many at night. */
export function amount(each: number): number {
  return isNightly ? 20 * each : each
}
