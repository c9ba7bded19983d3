import { answerHelp } from '../help'
import { runInTurn } from '../helper-checks'
import { isStarted, run } from '../program'
import { missingForWindows, prepareWindows, wineVariables } from './computer'

/** Runs the tests of Windows under Wine; returns the exit status, 0 where they had to be left out. */
export async function testWindows(): Promise<number> {
  const why = await missingForWindows()
  if (why !== undefined) {
    console.log(`Left out: the tests of Windows. ${why}.`)
    return 0
  }
  await prepareWindows()
  const env = { ...wineVariables, GOOS: 'windows', GOARCH: 'amd64' }
  const helper = await runInTurn([{ words: ['go', 'test', '-exec', 'wine', './windows'], env }])
  if (helper !== 0) return helper
  return run(['vitest', 'run', '--config', 'scripts/windows/vitest.config.ts', '--reporter=verbose'])
}

if (isStarted(import.meta.url)) {
  answerHelp('Usage: npm run test:windows\n\nRuns the tests of Windows under Wine (docs/testing.md).')
  process.exitCode = await testWindows()
}
