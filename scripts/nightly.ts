import { execa } from 'execa'
import { buildOwnHelper } from './build-helper'
import { missingElectron } from './electron-runtime'
import { helperChecks, runInTurn } from './helper-checks'
import { runInPrivateSession } from './private-session'
import { setUp } from './set-up'
import { testWindows } from './windows/test'

/** `npm run test:nightly`: tests that take too long for every change. */

const killRounds = 5

/** Test files that run longer at night (scripts/nightly-tests.ts). */
const longer = [
  'main/desktop/any-command.test.ts',
  'main/platform/log/redactor.test.ts',
  'main/tunnel/openvpn/configuration-any-text.test.ts',
  'main/tunnel/openvpn/helper-refusals.test.ts',
  'mock-server/fuzz.test.ts',
  'scripts/mock-package.test.ts',
  'mock-server/state/kill.test.ts',
]
const packages = ['scripts/packaged.test.ts', 'scripts/package-repositories.test.ts']
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
  await setUp(['tunnel', 'helper', 'helperLint', 'keyStore', 'window', 'browser', 'rpm'])
  if (!(await buildOwnHelper())) throw new Error('The nightly tests need Go, which builds the helper.')
  console.log('— the helper, fuzzed')
  const fuzzed = await runInTurn(helperChecks(['-fuzztime', '300s']))
  if (fuzzed !== 0) return fuzzed
  console.log('— Windows, under Wine')
  const windows = await testWindows()
  if (windows !== 0) return windows
  console.log('— tests with chance in them')
  const longest = await runTests(longer)
  if (longest !== 0) return longest
  console.log('— packages')
  await execa('electron-vite', ['build', '--logLevel', 'warn'], { preferLocal: true, stdio: 'inherit' })
  const packaged = await runTests(packages)
  if (packaged !== 0) return packaged
  for (let round = 1; round <= killRounds; round += 1) {
    console.log(`— kills, round ${round} of ${killRounds}`)
    const killed = await runTests(kills)
    if (killed !== 0) return killed
  }
  console.log('— every view in every language')
  const why = await missingElectron()
  if (why !== undefined) throw new Error(`The nightly tests need Electron. ${why}.`)
  const built = await execa('npm', ['run', '--silent', 'build'], { stdio: 'inherit', reject: false })
  if (built.exitCode !== 0) return built.exitCode ?? 1
  return runInPrivateSession(
    ['npx', '--no-install', 'playwright', 'test', '--reporter=list', 'e2e/accessibility.e2e.ts'],
    { display: true, env: { CAUSEWAY_NIGHTLY: '1' } },
  )
}

process.exitCode = await nightly()
