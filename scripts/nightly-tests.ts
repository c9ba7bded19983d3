/** Returns whether this is a run of `npm run test:nightly`, in which randomized tests run longer. */
export const isNightly = process.env.CAUSEWAY_NIGHTLY === '1'

/** Whether the slow tests run, too (slow.testing.ts): at night, and with `CAUSEWAY_SLOW_TESTS=1`. */
export const isSlowRun = isNightly || process.env.CAUSEWAY_SLOW_TESTS === '1'

/** Returns the number of repetitions: `each` for every change, twenty times as many at night. */
export function amount(each: number): number {
  return isNightly ? 20 * each : each
}
