import { helperFuzzers, suites } from './fuzzing'
import { answerHelp } from './help'
import { buildOwnHelper, buildWithRaceDetector } from './build-helper'
import { missingElectron } from './electron-runtime'
import { helperChecks, runInTurn } from './helper-checks'
import { testInstalledDebian } from './installed-debian'
import { testInstalledPackages } from './installed-packages'
import { testWithKernelWireGuard } from './kernel-wireguard'
import { tryMutants } from './mutants'
import { runInPrivateSession } from './private-session'
import { run } from './program'
import { compareBuilds } from './reproducible-packages'
import { setUp } from './set-up'
import { testWholeDebian } from './whole-debian/test'
import { testWindows } from './windows/test'

/** `npm run test:nightly`: tests that take too long for every change. */

const killRounds = 5
/** The mutants of each folder that are tried. */
const mutants = 60

/** Test files that run longer at night. */
const longer = [
  ...suites.map(({ file }) => file),
  'main/app/apps-matrix.test.ts',
  'main/app/fault-matrix.test.ts',
  'scripts/mock-package.test.ts',
  'scripts/mock-first-page.test.ts',
  'scripts/npm-scripts.test.ts',
  'scripts/recipes.test.ts',
  'mock-server/state/kill.test.ts',
]
const packages = [
  'scripts/linux-packages.test.ts',
  'scripts/packaged.test.ts',
  'scripts/package-repositories.test.ts',
]
const kills = [
  'main/cli/kills.test.ts',
  'main/tunnel/openvpn/helper-tunnel.test.ts',
  'main/tunnel/wireguard/helper-wireguard.test.ts',
]

const runTests = (files: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(['vitest', 'run', ...files], { CAUSEWAY_NIGHTLY: '1', ...env })

const npmRun = ['npm', 'run', '--silent'] as const

/** A part of the night's work; `run` returns the exit status. */
interface Part {
  readonly name: string
  readonly run: () => Promise<number>
}

const parts: readonly Part[] = [
  { name: 'the helper, fuzzed', run: async () => runInTurn(await helperChecks(`${helperFuzzers.nightly}x`)) },
  {
    name: 'the helper and WireGuard in user space, with the race detector',
    run: async () =>
      (await runInTurn([{ words: ['go', 'test', '-race', './...'], env: { CGO_ENABLED: '1' } }])) ||
      runTests(['main/tunnel/wireguard/helper-wireguard.test.ts'], {
        CAUSEWAY_TEST_RACE: await buildWithRaceDetector(),
      }),
  },
  { name: 'Windows, under Wine', run: testWindows },
  { name: 'tests with chance in them', run: () => runTests(longer) },
  {
    name: "clients generated from the mock's documents",
    run: () => run(['tsx', 'scripts/generated-clients.ts']),
  },
  { name: 'packages', run: async () => (await build()) || runTests(packages) },
  { name: 'packages, made twice', run: makePackagesTwice },
  {
    name: 'causeway-cli in a Debian of its own',
    run: async () => (await build()) || testInstalledDebian(),
  },
  {
    name: 'causeway-cli in a whole Debian, in a virtual machine',
    run: async () => (await build()) || testWholeDebian(),
  },
  {
    name: 'the deb with the window and the rpm, with what they need',
    run: async () => (await run([...npmRun, 'dist', '--', 'deb', 'cli-rpm'])) || testInstalledPackages(),
  },
  ...Array.from({ length: killRounds }, (_, round) => ({
    name: `kills, round ${round + 1} of ${killRounds}`,
    run: () => runTests(kills),
  })),
  {
    name: "the kernel's WireGuard",
    run: () => testWithKernelWireGuard('main/tunnel/wireguard/helper-wireguard.test.ts'),
  },
  { name: 'what grows over rounds', run: () => run(['tsx', 'bench/soak.ts', '--rounds', '20']) },
  { name: 'mutants', run: () => tryMutants(mutants) },
  { name: 'every view in every language', run: async () => (await build()) || lookAtEveryView() },
  { name: 'what a screen reader says', run: async () => (await build()) || listen() },
  { name: "a panel's tray, and notifications", run: async () => (await build()) || useDesktop() },
  { name: 'the window on Wayland', run: async () => (await build()) || openOnWayland() },
]

const build = () => run([...npmRun, 'build'])

async function makePackagesTwice(): Promise<number> {
  const ofWindow = (await missingElectron()) === undefined ? ['deb'] : []
  const found = await compareBuilds([...ofWindow, 'cli-deb', 'cli-rpm', 'mock'])
  for (const line of found) console.error(line)
  return found.length === 0 ? 0 : 1
}

const lookAtEveryView = () => testWindow('e2e/accessibility.e2e.ts', { CAUSEWAY_NIGHTLY: '1' })

/** The session's Orca is the only one: a bus for accessibility belongs to each session. */
const listen = () => testWindow('e2e/orca.e2e.ts', { CAUSEWAY_ORCA: '1' })

const useDesktop = () => testWindow('e2e/real-desktop.e2e.ts', { CAUSEWAY_DESKTOP: '1' })

/** Without a display of X11, on which a part of the window could appear instead. */
const openOnWayland = () => testWindow('e2e/wayland', { CAUSEWAY_WAYLAND: '1' }, { display: false })

async function testWindow(
  file: string,
  env: Readonly<Record<string, string>>,
  { display } = { display: true },
): Promise<number> {
  const why = await missingElectron()
  if (why !== undefined) throw new Error(`The nightly tests need Electron. ${why}.`)
  return runInPrivateSession(['npx', '--no-install', 'playwright', 'test', '--reporter=list', file], {
    display,
    env,
  })
}

/** Runs every part, also after one that failed, and lists the failed ones at the end. */
async function nightly(): Promise<number> {
  await setUp([
    'tunnel',
    'helper',
    'helperLint',
    'keyStore',
    'window',
    'browser',
    'screenReader',
    'desktop',
    'wayland',
    'shells',
    'rpm',
    'virtualMachine',
    'windows',
    'generatedClients',
    'container',
    'wholeDebian',
  ])
  if (!(await buildOwnHelper())) throw new Error('The nightly tests need Go, which builds the helper.')
  const failed: string[] = []
  for (const { name, run } of parts) {
    console.log(`— ${name}`)
    const exitStatus = await run().catch((error: unknown) => {
      console.error(error)
      return 1
    })
    if (exitStatus !== 0) failed.push(name)
  }
  for (const name of failed) console.error(`Failed: ${name}`)
  return failed.length === 0 ? 0 : 1
}

answerHelp(
  'Usage: npm run test:nightly\n\nRuns the randomized tests for longer (docs/testing.md). It takes hours, and installs missing system packages where it may.',
)
process.exitCode = await nightly()
