import type { Reporter } from './reporter'

/** Returns a reporter for a test; what the test doesn't expect fails it. */
export function testReporter(expected: Partial<Reporter> = {}): Reporter {
  const fail = (error: unknown): never => {
    throw new Error('Something was reported that the test does not expect.', { cause: error })
  }
  return { notice: fail, failure: (_event, error) => fail(error), defect: fail, ...expected }
}
