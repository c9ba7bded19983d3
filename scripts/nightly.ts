import { execa } from 'execa'
import { buildOwnHelper } from './build-helper'
import { helperChecks, runInTurn } from './helper-checks'
import { setUp } from './set-up'

/** `npm run test:nightly`: what takes too long for each change. */

const killRounds = 5

/** The files whose tests do more at night (scripts/nightly-tests.ts). */
const longer = [
  'main/platform/log/redactor.test.ts',
  'main/tunnel/openvpn/configuration-any-text.test.ts',
  'main/tunnel/openvpn/helper-refusals.test.ts',
  'mock-server/fuzz.test.ts',
  'mock-server/state/kill.test.ts',
]
const kills = ['main/cli/kills.test.ts', 'main/tunnel/openvpn/helper-tunnel.test.ts']

async function runTests(files: readonly string[]): Promise<number> {
  const options = {
    env: { CAUSEWAY_NIGHTLY: '1' },
    stdio: 'inherit',
    reject: false,
    preferLocal: true,
  } as const
  const { exitCode } = await execa('vitest', ['run', ...files], options)
  return exitCode ?? 1
}

async function nightly(): Promise<number> {
  await setUp(['tunnel', 'helper', 'helperLint', 'keyStore', 'window', 'browser'])
  if (!(await buildOwnHelper())) throw new Error('The nightly tests need Go, which builds the helper.')
  console.log('— the helper, fuzzed')
  const fuzzed = await runInTurn(helperChecks(['-fuzztime', '300s']))
  if (fuzzed !== 0) return fuzzed
  console.log('— tests with chance in them')
  const longest = await runTests(longer)
  if (longest !== 0) return longest
  for (let round = 1; round <= killRounds; round += 1) {
    console.log(`— kills, round ${round} of ${killRounds}`)
    const killed = await runTests(kills)
    if (killed !== 0) return killed
  }
  return 0
}

process.exitCode = await nightly()
