import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { downloadModules, userspaceWireGuard, windowsService } from './build-helper'
import { helperFuzzers } from './fuzzing'

interface Check {
  readonly words: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Folder below the helper's. */
  readonly folder?: string
}

/** The oldest Go that builds the helper, where Debian 12 installs it beside others. */
const oldestGo = '/usr/lib/go-1.19/bin/go'

/** staticcheck as a Go module, and the oldest minor version of Go 1 that builds it. */
const staticcheckModule = { path: 'honnef.co/go/tools/cmd/staticcheck', version: 'v0.8.2', goMinor: 26 }

/**
 * Returns the checks of the helper's Go code for all systems. Without a staticcheck that can read the library of this
 * Go, its checks are left out with a message, except in CI.
 *
 * @param fuzzing the number of cases for each fuzzer, such as `1000x`; without it, the tests try the seeds alone
 * @throws ExecaError without Go, and in CI without staticcheck
 */
export async function helperChecks(fuzzing?: string): Promise<readonly Check[]> {
  const staticcheck = await findStaticcheck()
  return [
    { words: ['go', 'vet', './...'] },
    ...withOldestGo(),
    { words: ['go', 'vet', './...'], env: { GOOS: 'darwin' } },
    { words: ['go', 'vet', './windows'], env: { GOOS: 'windows' } },
    ...(staticcheck === undefined
      ? []
      : [
          { words: [staticcheck, './...'] as const },
          { words: [staticcheck, '-tags', 'macos_rehearsal', './...'] as const },
          { words: [staticcheck, './windows'] as const, env: { GOOS: 'windows' } },
        ]),
    // The program for WireGuard in user space is a module of its own, and is to compile for macOS, too.
    ...((await downloadModules(userspaceWireGuard))
      ? ['linux', 'darwin'].map((system): Check => ({
          words: ['go', 'vet', './...'],
          env: { GOOS: system },
          folder: 'userspace-wireguard',
        }))
      : []),
    ...((await downloadModules(windowsService))
      ? windowsServiceChecks(staticcheck)
      : leftOut('windows-service')),
    { words: ['go', 'test', './...'] },
    { words: ['go', 'test', '-tags', 'macos_rehearsal', './...'] },
    ...(fuzzing === undefined
      ? []
      : helperFuzzers.names.map((name): Check => ({
          words: ['go', 'test', '-run', 'none', '-fuzz', `^${name}$`, '-fuzztime', fuzzing, '.'],
        }))),
  ]
}

/** The service of Windows and its models for tests; its decisions about packets are tested on every system. */
function windowsServiceChecks(staticcheck: string | undefined): readonly Check[] {
  const folder = 'windows-service'
  const env = { GOOS: 'windows' }
  return [
    ...['', 'causeway_model', 'causeway_real'].flatMap((tags): Check[] => [
      { words: ['go', 'vet', '-tags', tags, './...'], env, folder },
      ...(staticcheck === undefined
        ? []
        : [{ words: [staticcheck, '-tags', tags, './...'] as const, env, folder }]),
    ]),
    { words: ['go', 'test', './filter'], folder },
  ]
}

function leftOut(folder: string): readonly Check[] {
  console.log(`  Left out: ${folder}, whose modules can't be downloaded, or need a newer Go.`)
  return []
}

/** Returns the distribution's staticcheck for an older Go, else builds the module, which Go's proxy serves. */
async function findStaticcheck(): Promise<string | undefined> {
  const { path, version, goMinor } = staticcheckModule
  const { stdout: goVersion } = await execa('go', ['env', 'GOVERSION'])
  // Debian's is built for its own Go, and can't read the library of a newer one.
  const isModule = Number(/^go1\.(\d+)/.exec(goVersion)?.[1]) >= goMinor
  const folder = join(import.meta.dirname, '..', 'node_modules', '.cache', 'causeway-staticcheck', goVersion)
  const program = isModule ? join(folder, 'staticcheck') : 'go-staticcheck'
  const { failed, shortMessage } = isModule
    ? await execa('go', ['install', `${path}@${version}`], {
        env: { GOBIN: folder, GOFLAGS: '' },
        reject: process.env.CI !== undefined,
      })
    : await execa(program, ['-version'], { reject: process.env.CI !== undefined })
  if (!failed) return program
  console.log(`  Left out: staticcheck. ${shortMessage}`)
  return undefined
}

/** A newer Go doesn't refuse what the oldest one lacks, also in the variants that the tests build. */
function withOldestGo(): readonly Check[] {
  if (existsSync(oldestGo))
    return ['', 'macos_rehearsal', 'killpoints,service_rehearsal'].map((tags) => ({
      words: [oldestGo, 'vet', '-tags', tags, './...'],
    }))
  console.log(`  Left out: the oldest Go, ${oldestGo}.`)
  return []
}

/** Runs the checks in the helper's folder until one fails; returns its exit status, or 0. */
export async function runInTurn(checks: readonly Check[]): Promise<number> {
  for (const { words, env, folder = '' } of checks) {
    const [program, ...rest] = words
    const { exitCode } = await execa(program, rest, {
      cwd: join(import.meta.dirname, '..', 'helper', folder),
      env: { CGO_ENABLED: '0', GOFLAGS: '', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      reject: false,
    })
    if (exitCode !== 0) {
      console.error(`  ${words.join(' ')}`)
      return exitCode ?? 1
    }
  }
  return 0
}
