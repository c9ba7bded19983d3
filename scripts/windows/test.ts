import { downloadModules, windowsService } from '../build-helper'
import { answerHelp } from '../help'
import { runInTurn } from '../helper-checks'
import { isStarted, run } from '../program'
import { setUp } from '../set-up'
import { hasOpenVpn, needOpenVpn, prepareWindows, wineVariables } from './computer'

/** Runs the tests of Windows under Wine; returns the exit status, 0 where they had to be left out. */
export async function testWindows(): Promise<number> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    console.log('Left out: the tests of Windows, which run on Linux for x64, under Wine.')
    return 0
  }
  await setUp(['windows'])
  if (!hasOpenVpn())
    console.log(`Left out: ${needOpenVpn.join(', ')}. CAUSEWAY_WINDOWS_OPENVPN isn't set (docs/testing.md).`)
  await prepareWindows()
  const hasService = await downloadModules(windowsService)
  if (!hasService) console.log("Left out: Causeway's service, whose modules can't be downloaded.")
  const env = { ...wineVariables, GOOS: 'windows', GOARCH: 'amd64' }
  const exec = ['-exec', 'wine'] as const
  const helper = await runInTurn([
    { words: ['go', 'test', ...exec, './windows'], env },
    // What the model replaces has tests of its own.
    ...(hasService ? ['causeway_model', ''] : []).map((tags) => ({
      words: ['go', 'test', ...exec, '-tags', tags, './...'] as const,
      env,
      folder: 'windows-service',
    })),
  ])
  if (helper !== 0) return helper
  return run(['vitest', 'run', '--config', 'scripts/windows/vitest.config.ts', '--reporter=verbose'])
}

if (isStarted(import.meta.url)) {
  answerHelp('Usage: npm run test:windows\n\nRuns the tests of Windows under Wine (docs/testing.md).')
  process.exitCode = await testWindows()
}
