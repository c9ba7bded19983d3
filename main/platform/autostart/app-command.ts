import { resolve } from 'node:path'

/** The command that starts the app at login: with its data directory and key store, and hidden. */
export interface AppStart {
  /** The program with its arguments. */
  readonly program: readonly [string, ...string[]]
  /** Absolute path. */
  readonly dataDir: string
  /** The data directory without an option; absolute path. */
  readonly defaultDataDir: string
  readonly secretStore: 'os' | 'file'
}

export function commandAtLogin({
  program,
  dataDir,
  defaultDataDir,
  secretStore,
}: AppStart): [string, ...string[]] {
  return [
    ...program,
    '--hidden',
    ...(dataDir === defaultDataDir ? [] : ['--data-dir', dataDir]),
    ...(secretStore === 'os' ? [] : ['--secret-store', secretStore]),
  ]
}

/** Returns the data directory of a command, which a user may have edited. */
export function dataDirOf(command: readonly string[], defaultDataDir: string): string {
  const at = command.findIndex((word) => word === '--data-dir' || word.startsWith('--data-dir='))
  const word = command[at]
  const value = word === '--data-dir' ? command[at + 1] : word?.slice('--data-dir='.length)
  return value === undefined || value === '' ? defaultDataDir : resolve(value)
}
