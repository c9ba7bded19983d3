import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { answerHelp } from '../help'
import { runInTurn } from '../helper-checks'
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
  const words = ['run', '--config', 'scripts/windows/vitest.config.ts', '--reporter=verbose']
  const { exitCode } = await execa('vitest', words, { stdio: 'inherit', reject: false, preferLocal: true })
  return exitCode ?? 1
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  answerHelp('Usage: npm run test:windows\n\nRuns the tests of Windows under Wine (docs/testing.md).')
  process.exitCode = await testWindows()
}
