import { prepareWindows, Windows } from './computer'

/** Prepares Windows for the test files; Vitest calls this before them, and the returned function after them. */
export async function setup(): Promise<() => Promise<void>> {
  await prepareWindows()
  return () => new Windows().shutDown()
}
