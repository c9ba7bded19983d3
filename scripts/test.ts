import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, constants, setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { measureScripts } from '../bench/script-size'
import { answerHelp } from './help'
import { missingElectron } from './electron-runtime'
import { evenParts, type FileSeconds, secondsOfFiles } from './even-parts'
import { runInPrivateSession } from './private-session'
import { buildOwnHelper } from './build-helper'
import { run } from './program'
import { setUp } from './set-up'
import { buildMockServer } from './test-programs'
import usualSeconds from './e2e-seconds.json' with { type: 'json' }
import { readPlaywrightReport, readVitestReport, slowestTests, type TestReport } from './test-reports'

/** `npm test`: all checks of a change. */

const tree = join(import.meta.dirname, '..')
answerHelp(
  'Usage: npm test\n\nChecks the helper, types and style, and runs all tests (docs/testing.md). It installs missing system packages where it may.',
)
const reports = await mkdtemp(join(tmpdir(), 'causeway-test-'))
const unitReport = join(reports, 'unit.json')
/** Number of parts of the end-to-end tests, which often wait; each part has its own desktop session. */
const parts = Math.min(availableParallelism() + 1, 4)
/** The seconds that each end-to-end file took the last time; before the first time, those of e2e-seconds.json. */
const e2eSeconds = join(tree, 'node_modules/.cache/e2e-seconds.json')
const e2eReports = Array.from({ length: parts }, (_, part) => join(reports, `e2e-${part + 1}.json`))

async function step(name: string, run: () => Promise<number>): Promise<void> {
  console.log(`\n— ${name}`)
  const began = Date.now()
  const status = await run()
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  if (status !== 0) throw new Error(`${name} failed after ${seconds} s`)
  console.log(`  ${seconds} s`)
}

/** Runs a script of package.json at low priority beside the tests, and prints its output at the end. */
async function runBehind(script: string): Promise<number> {
  const running = execa('npm', ['run', '--silent', script], { reject: false, all: true })
  if (running.pid !== undefined) setPriority(running.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  const { exitCode, all, durationMs } = await running
  console.log(`\n  ${script}: ${(durationMs / 1000).toFixed(1)} s\n${all}`)
  return exitCode ?? 1
}

/**
 * Runs a command with its temporary files in memory, where they take a twentieth less processor time than on a disk, and nothing waits
 * for them. Only root of Linux may do that; for others they are on the disk. The file system ends with the command.
 */
async function runInMemory(
  words: [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  // A short name: Linux takes at most 107 characters for a socket's path, and the mock's take up to 90 of them.
  const folder = await mkdtemp(join(tmpdir(), 'cw-'))
  try {
    // Some tests start programs as other users.
    await chmod(folder, 0o755)
    // With a mount for namespaces, which `ip netns add` would make, but twice if two do so at once.
    const mount = `mkdir -p /run/netns; mount --rbind /run/netns /run/netns; mount --make-shared /run/netns
      mount -t tmpfs -o mode=1777 tmp "$0"; export TMPDIR="$0"; exec "$@"`
    const before = ['--mount', 'sh', '-ec', mount, folder]
    const { failed } = await execa('unshare', [...before, 'true'], { reject: false })
    return await run(failed ? words : ['unshare', ...before, ...words], env)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Checks the compressed size of the first view's scripts, because larger scripts start slower. */
async function scriptIsSmall(): Promise<number> {
  const { scriptBytes } = await measureScripts(tree)
  const limitBytes = 180_000
  console.log(`  ${(scriptBytes / 1000).toFixed(0)} kB of at most ${limitBytes / 1000} kB`)
  return scriptBytes > limitBytes ? 1 : 0
}

/** Runs the parts at the same time, each in a private session, because a desktop has one tray and one clipboard. */
async function endToEnd(): Promise<number> {
  const files = (await readdir(join(tree, 'e2e'))).filter((name) => name.endsWith('.e2e.ts'))
  const seconds = await readSeconds()
  const mockServer = await buildMockServer()
  try {
    const statuses = await Promise.all(
      evenParts(files, parts, seconds).map((part, index) => {
        const report = e2eReports[index] ?? ''
        const options = [`--output=test-results/${index + 1}`, '--reporter=list,json']
        const paths = part.map((file) => `e2e/${file}`)
        return runInPrivateSession(['npx', '--no-install', 'playwright', 'test', ...options, ...paths], {
          display: true,
          env: {
            PLAYWRIGHT_JSON_OUTPUT_NAME: report,
            // Two processes that rewrite lines on one terminal would overwrite each other's.
            PLAYWRIGHT_FORCE_TTY: 'false',
            TEST_MOCK_SERVER: mockServer.path,
          },
        })
      }),
    )
    return Math.max(...statuses)
  } finally {
    await mockServer.remove()
  }
}

async function readSeconds(): Promise<FileSeconds> {
  const text = await readFile(e2eSeconds, 'utf8').catch(() => JSON.stringify(usualSeconds))
  return z.record(z.string(), z.number()).parse(JSON.parse(text))
}

function summarize(reports: readonly TestReport[]): void {
  const sum = (count: 'passed' | 'failed') => reports.reduce((total, report) => total + report[count], 0)
  console.log(`\n— slowest tests\n${slowestTests(reports, 10).join('\n')}`)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
}

async function main(): Promise<void> {
  await setUp(['tunnel', 'helper', 'helperLint', 'keyStore', 'window', 'browser', 'shells'])
  await buildOwnHelper()
  await step('build', () => run(['npm', 'run', '--silent', 'build']))
  await step('size of the script', scriptIsSmall)
  await step('lint, helper, unit and integration tests', async () => {
    // At the same time, because the tests often wait.
    const scripts = ['lint', 'test:helper']
    const behind = scripts.map(runBehind)
    const outputs = ['--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`]
    const tested = await runInMemory(['vitest', 'run', ...outputs], { TEST_BUILD: join(tree, 'out') })
    const statuses = await Promise.all(behind)
    // What they said is far above.
    for (const [index, script] of scripts.entries())
      if (statuses[index] !== 0) console.error(`\n  ${script} failed.`)
    return Math.max(tested, ...statuses)
  })

  const unit = await readVitestReport(unitReport, tree)
  const why = await missingElectron()
  if (why !== undefined) {
    console.log(`\nLeft out: the end-to-end tests, because there is no Electron runtime here. ${why}.`)
    if (process.env.CI !== undefined) throw new Error('In CI the end-to-end tests may not be left out')
    summarize([unit])
    return
  }
  await step('end-to-end tests', endToEnd)
  const endToEndReports = await Promise.all(e2eReports.map(readPlaywrightReport))
  await mkdir(dirname(e2eSeconds), { recursive: true })
  await writeFile(e2eSeconds, JSON.stringify(secondsOfFiles(endToEndReports)))
  summarize([unit, ...endToEndReports])
}

try {
  await main()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await rm(reports, { recursive: true, force: true })
}
