import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { measureScripts } from '../bench/script-size'
import { missingElectron } from './electron-runtime'
import { runInPrivateSession } from './private-session'
import { buildOwnHelper } from './build-helper'
import { helperChecks, runInTurn } from './helper-checks'
import { setUp } from './set-up'

/** `npm test`: everything that decides whether a change is good, in the order in which it is quickest to know. */

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() })
const playwrightReport = z.object({ stats: z.object({ expected: z.number(), unexpected: z.number() }) })

const reports = await mkdtemp(join(tmpdir(), 'causeway-test-'))
const unitReport = join(reports, 'unit.json')
const e2eReport = join(reports, 'e2e.json')

async function step(name: string, run: () => Promise<number>): Promise<void> {
  console.log(`\n— ${name}`)
  const began = Date.now()
  const status = await run()
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  if (status !== 0) throw new Error(`${name} failed after ${seconds} s`)
  console.log(`  ${seconds} s`)
}

async function run(command: string, ...args: string[]): Promise<number> {
  const { exitCode } = await execa(command, args, { stdio: 'inherit', reject: false, preferLocal: true })
  return exitCode ?? 1
}

/** The first view's script, as gzip would send it: what is larger starts slower. */
async function scriptIsSmall(): Promise<number> {
  const { scriptBytes } = await measureScripts(join(import.meta.dirname, '..'))
  const limitBytes = 250_000
  console.log(`  ${(scriptBytes / 1000).toFixed(0)} kB of at most ${limitBytes / 1000} kB`)
  return scriptBytes > limitBytes ? 1 : 0
}

/** Builds the privileged helper, and checks what the tests beside it do not run: that of macOS, and its parser. */
async function checkHelper(): Promise<number> {
  if (!(await buildOwnHelper())) {
    console.log('  Left out, because Go is not installed: the helper and its tests.')
    return process.env.CI === undefined ? 0 : 1
  }
  return runInTurn(helperChecks(['-fuzztime', '5s']))
}

async function main(): Promise<void> {
  await setUp(['tunnel', 'helper', 'helperLint', 'keyStore', 'window', 'browser'])
  await step('types and lint', async () => {
    const statuses = await Promise.all(
      ['typecheck', 'lint'].map((script) => run('npm', 'run', '--silent', script)),
    )
    return Math.max(...statuses)
  })
  await step('helper', checkHelper)
  await step('unit and integration tests', () =>
    run('vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`),
  )
  await step('build', () => run('npm', 'run', '--silent', 'build'))
  await step('size of the script', scriptIsSmall)

  const unit = vitestReport.parse(JSON.parse(await readFile(unitReport, 'utf8')))
  const why = await missingElectron()
  if (why !== undefined) {
    console.log(`\nLeft out: the end-to-end tests, because there is no Electron runtime here. ${why}.`)
    if (process.env.CI !== undefined) throw new Error('In CI the end-to-end tests may not be left out')
    console.log(`\n${unit.numPassedTests} passed, ${unit.numFailedTests} failed`)
    return
  }
  await step('end-to-end tests', () =>
    runInPrivateSession(['npx', '--no-install', 'playwright', 'test', '--reporter=list,json'], {
      display: true,
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: e2eReport },
    }),
  )
  const { stats } = playwrightReport.parse(JSON.parse(await readFile(e2eReport, 'utf8')))
  console.log(`\nunit and integration: ${unit.numPassedTests}, end-to-end: ${stats.expected}`)
  console.log(
    `${unit.numPassedTests + stats.expected} passed, ${unit.numFailedTests + stats.unexpected} failed`,
  )
}

try {
  await main()
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await rm(reports, { recursive: true, force: true })
}
