import { resolve } from 'node:path'

/** How the app is started at login: with these files and secrets, and minimised. */
export interface AppStart {
  /** The program with its arguments, as the system starts it. */
  readonly program: readonly [string, ...string[]]
  /** Absolute. */
  readonly dataDir: string
  /** Where they are when no option says so; absolute. */
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

/** The data directory that a command works with; it may be one that a person has written. */
export function dataDirOf(command: readonly string[], defaultDataDir: string): string {
  const at = command.findIndex((word) => word === '--data-dir' || word.startsWith('--data-dir='))
  const word = command[at]
  const value = word === '--data-dir' ? command[at + 1] : word?.slice('--data-dir='.length)
  return value === undefined || value === '' ? defaultDataDir : resolve(value)
}
