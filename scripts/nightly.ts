import { execa } from 'execa'
import { helperFuzzers, suites } from './fuzzing'
import { answerHelp } from './help'
import { buildOwnHelper, buildWithRaceDetector } from './build-helper'
import { electronVersion, missingElectron } from './electron-runtime'
import { helperChecks, runInTurn } from './helper-checks'
import { testInstalledDebian } from './installed-debian'
import { testInstalledPackages } from './installed-packages'
import { testWithKernelWireGuard } from './kernel-wireguard'
import { tryMutants } from './mutants'
import { writeNight } from './nightly-table'
import { otherNodes, testWithNode } from './other-node'
import { otherOpenVpns, testWithOpenVpn } from './other-openvpn'
import { runInPrivateSession } from './private-session'
import { exitWith, run } from './program'
import { compareBuilds } from './reproducible-packages'
import { setUp } from './set-up'
import { slowFiles, slowTests } from './slow-files'
import { releases } from './whole-debian/guest'
import { testWholeDebian } from './whole-debian/test'
import { testWindows } from './windows/test'

/** `npm run test:nightly`: tests that take too long for every change. */

const killRounds = 5
/** The mutants of each folder that are tried: other ones each day. */
const mutants = 10
const day = Math.floor(Date.now() / 86_400_000)

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

/** How a part ended. */
interface Ran {
  readonly status: number
  /** What it ran with, beside this Node.js. */
  readonly used?: string
}

/** A part of the night's work; `run` returns the exit status, or that and what it ran with. */
interface Part {
  readonly name: string
  readonly run: () => Promise<number | Ran>
}

const parts: Readonly<Record<string, Part>> = {
  helper: {
    name: 'the helper, fuzzed',
    run: async () => runInTurn(await helperChecks(`${helperFuzzers.nightly}x`)),
  },
  race: {
    name: 'the helper and WireGuard in user space, with the race detector',
    run: async () =>
      (await runInTurn([{ words: ['go', 'test', '-race', './...'], env: { CGO_ENABLED: '1' } }])) ||
      runTests(['main/tunnel/wireguard/helper-wireguard.test.ts'], {
        CAUSEWAY_TEST_RACE: await buildWithRaceDetector(),
      }),
  },
  windows: {
    name: 'Windows, under Wine',
    run: async () => {
      const wine = await firstLine('wine', '--version')
      // The tests that need it are left out without it.
      const without = (process.env.CAUSEWAY_WINDOWS_OPENVPN ?? '') === '' ? ', no OpenVPN for Windows' : ''
      return { status: await testWindows(), used: `${wine}${without}` }
    },
  },
  chance: { name: 'tests with chance in them', run: () => runTests(longer) },
  slow: {
    name: 'the tests that npm test leaves out',
    run: async () => run(['vitest', 'run', ...(await slowFiles())], slowTests),
  },
  clients: {
    name: "clients generated from the mock's documents",
    run: () => run(['tsx', 'scripts/generated-clients.ts']),
  },
  packages: {
    name: 'packages',
    run: async () => (await build()) || runTests(packages, { TEST_BUILD: 'out' }),
  },
  'packages-twice': { name: 'packages, made twice', run: makePackagesTwice },
  container: {
    name: 'causeway-cli in a Debian of its own',
    run: async () => (await build()) || testInstalledDebian(),
  },
  ...Object.fromEntries(
    releases.map((release) => [
      `whole-debian-${release.number}`,
      {
        name: `a whole Debian ${release.number}, in a virtual machine`,
        run: async () => (await build()) || testWholeDebian(release),
      },
    ]),
  ),
  installed: {
    name: 'the deb with the window and the rpm, with what they need',
    run: async () => (await run([...npmRun, 'dist', '--', 'deb', 'cli-rpm'])) || testInstalledPackages(),
  },
  kills: { name: `kills, ${killRounds} rounds`, run: killAgain },
  'kernel-wireguard': {
    name: "the kernel's WireGuard",
    run: () => testWithKernelWireGuard('main/tunnel/wireguard/helper-wireguard.test.ts'),
  },
  ...Object.fromEntries(
    otherOpenVpns.map((other) => [
      `openvpn-${other.version}`,
      { name: `OpenVPN ${other.version}`, run: () => testWithOpenVpn(other) },
    ]),
  ),
  ...Object.fromEntries(
    otherNodes.map((major) => [
      `node-${major}`,
      { name: `Node.js ${major}`, run: () => testWithNode(major) },
    ]),
  ),
  soak: { name: 'what grows over rounds', run: () => run(['tsx', 'bench/soak.ts', '--rounds', '20']) },
  mutants: { name: 'mutants', run: () => tryMutants(mutants, day) },
  views: { name: 'every view in every language', run: () => inWindow(lookAtEveryView) },
  'screen-reader': { name: 'what a screen reader says', run: () => inWindow(listen) },
  desktop: { name: "a panel's tray, and notifications", run: () => inWindow(useDesktop) },
  wayland: { name: 'the window on Wayland', run: () => inWindow(openOnWayland) },
}

/** Returns the first line that a program prints. */
async function firstLine(program: string, ...words: readonly string[]): Promise<string> {
  // Where the program is missing, what it runs was left out.
  const { failed, stdout } = await execa(program, words, { reject: false })
  return failed ? '' : (stdout.split('\n')[0] ?? '')
}

async function killAgain(): Promise<number> {
  for (let round = 1; round <= killRounds; round += 1) {
    const status = await runTests(kills)
    if (status !== 0) return status
  }
  return 0
}

/** Runs end-to-end tests in a new build. */
async function inWindow(test: () => Promise<number>): Promise<Ran> {
  return { status: (await build()) || (await test()), used: `Electron ${await electronVersion()}` }
}

const build = () => run([...npmRun, 'build'])

async function makePackagesTwice(): Promise<number> {
  const ofWindow = (await missingElectron()) === undefined ? ['deb'] : []
  const found = await compareBuilds([...ofWindow, 'cli-deb', 'cli-rpm', 'mock'])
  for (const line of found) console.error(line)
  return found.length === 0 ? 0 : 1
}

const lookAtEveryView = async () =>
  (await testWindow('e2e/accessibility.e2e.ts', { CAUSEWAY_NIGHTLY: '1' })) ||
  testWindow('e2e/whole-texts.e2e.ts', { CAUSEWAY_NIGHTLY: '1' })

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

const needs = [
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
  'otherOpenVpn',
] as const

/** Runs the parts, also after one that failed, writes the table of docs/testing.md, and lists the failed ones at the end. */
async function nightly(names: readonly string[]): Promise<number> {
  const unknown = names.find((name) => !Object.hasOwn(parts, name))
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".\n\n${usage}`)
  await setUp(needs)
  if (!(await buildOwnHelper())) throw new Error('The nightly tests need Go, which builds the helper.')
  const wanted = Object.entries(parts).filter(([key]) => names.length === 0 || names.includes(key))
  const failed: string[] = []
  for (const [key, { name, run }] of wanted) {
    console.log(`— ${name}`)
    const began = Date.now()
    const ran = await run().catch((error: unknown) => {
      console.error(error)
      return 1
    })
    const { status, used } = typeof ran === 'number' ? { status: ran, used: undefined } : ran
    if (status !== 0) failed.push(name)
    await writeNight({
      key,
      name,
      used: [`Node.js ${process.versions.node}`, ...(used === undefined ? [] : [used])].join(', '),
      hasPassed: status === 0,
      minutes: Math.max(1, Math.round((Date.now() - began) / 60_000)),
    })
  }
  for (const name of failed) console.error(`Failed: ${name}`)
  return failed.length === 0 ? 0 : 1
}

const usage = `Usage: npm run test:nightly [-- PART…]

Runs the randomized tests for longer, and everything that takes too long for each change (docs/testing.md). It takes hours,
and installs missing system packages where it may. It writes its results into the table of docs/testing.md.

Parts: ${Object.keys(parts).join(', ')}`
answerHelp(usage)
await exitWith(() => nightly(process.argv.slice(2)))
