import { execa } from 'execa'
import { buildOwnHelper } from './build-helper'
import { helperChecks, runInTurn } from './helper-checks'
import { setUp } from './set-up'

/** `npm run test:nightly`: what takes too long for each change. */

const killRounds = 5

async function nightly(): Promise<number> {
  await setUp(['tunnel', 'helper', 'helperLint', 'keyStore', 'window', 'browser'])
  if (!(await buildOwnHelper())) throw new Error('The nightly tests need Go, which builds the helper.')
  console.log('— the helper, fuzzed')
  const fuzzed = await runInTurn(helperChecks(['-fuzztime', '300s']))
  if (fuzzed !== 0) return fuzzed
  for (let round = 1; round <= killRounds; round += 1) {
    console.log(`— kills, round ${round} of ${killRounds}`)
    const { exitCode } = await execa(
      'vitest',
      [
        'run',
        'main/cli/kills.test.ts',
        'main/tunnel/openvpn/helper-tunnel.test.ts',
        'main/tunnel/openvpn/helper-refusals.test.ts',
      ],
      { env: { CAUSEWAY_NIGHTLY: '1' }, stdio: 'inherit', reject: false, preferLocal: true },
    )
    if (exitCode !== 0) return exitCode ?? 1
  }
  return 0
}

process.exitCode = await nightly()
