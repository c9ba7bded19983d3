import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'

/** The folders of programs, also of those for root, which a user's path may lack. */
export const sbin = { PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` }

/** Returns whether the module at an address is the program that was started, not part of another one. */
export function isStarted(address: string): boolean {
  return process.argv[1] !== undefined && address === pathToFileURL(process.argv[1]).href
}

/** Ends this process with the status that `main` returns, or with 1 after the message of its error. */
export async function exitWith(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

/** Runs a program, of node_modules first, with the terminal of this process; returns its exit status. */
export async function run(
  words: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const [program, ...rest] = words
  const { exitCode } = await execa(program, rest, {
    env,
    stdio: 'inherit',
    reject: false,
    preferLocal: true,
  })
  return exitCode ?? 1
}

/** Calls `work` with a new temporary folder, which is removed when it has ended. */
export async function inTemporaryFolder<Result>(
  name: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), `causeway-${name}-`))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
