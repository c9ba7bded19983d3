import { join } from 'node:path'
import { execa } from 'execa'

interface Check {
  readonly words: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
  /** Skipped with a message if the program is not installed. */
  readonly optional?: true
}

/**
 * Returns the checks of the helper's Go code for all systems.
 *
 * @param fuzzing arguments for the duration of each fuzzer: `-fuzztime 1s`
 */
export function helperChecks(fuzzing: readonly string[]): readonly Check[] {
  return [
    { words: ['go', 'vet', './...'] },
    { words: ['go', 'vet', './...'], env: { GOOS: 'darwin' } },
    { words: ['go', 'vet', './windows'], env: { GOOS: 'windows' } },
    { words: ['go-staticcheck', './...'], optional: true },
    { words: ['go-staticcheck', '-tags', 'macos_rehearsal', './...'], optional: true },
    { words: ['go-staticcheck', './windows'], env: { GOOS: 'windows' }, optional: true },
    { words: ['go', 'test', './...'] },
    { words: ['go', 'test', '-tags', 'macos_rehearsal', './...'] },
    ...['FuzzReadRequest', 'FuzzParseNameServers'].map((name): Check => ({
      words: ['go', 'test', '-run', 'none', '-fuzz', name, ...fuzzing, '.'],
    })),
  ]
}

/** Runs the checks in the helper's folder until one fails; returns its exit status, or 0. */
export async function runInTurn(checks: readonly Check[]): Promise<number> {
  for (const { words, env, optional } of checks) {
    const [program, ...rest] = words
    const { exitCode, code } = await execa(program, rest, {
      cwd: join(import.meta.dirname, '..', 'helper'),
      env: { CGO_ENABLED: '0', GOFLAGS: '', ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
      reject: false,
    })
    if (code === 'ENOENT' && optional === true)
      console.log(`  Left out, because it is not installed: ${program}.`)
    else if (exitCode !== 0) {
      console.error(`  ${words.join(' ')}`)
      return exitCode ?? 1
    }
  }
  return 0
}
