import { it } from 'vitest'
import { isSlowRun } from './nightly-tests'

/**
 * A test that `npm run test:nightly` runs, and `npm test` leaves out: it starts programs or tunnels for a variant of
 * something that another test covers.
 */
export const slow = it.runIf(isSlowRun)

/** Returns the rows of a table of tests: all at night, otherwise the first ones. */
export function rows<Row>(table: readonly Row[], first: number): readonly Row[] {
  return isSlowRun ? table : table.slice(0, first)
}
