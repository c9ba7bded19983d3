import { stat } from 'node:fs/promises'
import path from 'node:path'

import { execa } from 'execa'

import { CausewayError, hasCode } from '../../errors'
import { isProgram } from '../../platform/child-process/is-program'
import { resultWithin } from '../../platform/child-process/result-within'
import { whileAnswering } from '../../platform/storage/while-answering'

interface InstalledOpenVpn {
  readonly path: string
  readonly version: string
}

interface FindOptions {
  readonly platform?: NodeJS.Platform
  /** The folders to search first, in the format of PATH. */
  readonly searchPath?: string
}

/** The oldest version that Causeway works with. */
export const oldestOpenVpn = { major: 2, minor: 5 } as const
/** The newest version that Causeway was tried with (docs/helper.md): a later one may have other defaults. */
export const newestTriedOpenVpn = { major: 2, minor: 7 } as const
/** For the program's answer, and for its disk's. */
const timeout = 5000
/** Folders of OpenVPN outside the PATH of desktop sessions. */
const usualFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin', '/opt/local/sbin']
const usualFoldersOnWindows = ['C:\\Program Files\\OpenVPN\\bin']

/**
 * Returns the OpenVPN to use, with its version.
 *
 * @param binary the path that the user chose, the only one to check
 * @throws CausewayError `openvpn/not-found`, with the variant `not-responding` for a program or a disk that gives no answer;
 *   `openvpn/too-old` for versions before 2.5
 */
export async function findOpenVpn(binary?: string, options: FindOptions = {}): Promise<InstalledOpenVpn> {
  const found = await locate(binary, options)
  if (found === undefined) {
    throw programNotFound(binary)
  }
  const version = await readVersion(found)
  if (isBefore(version, oldestOpenVpn)) {
    throw new CausewayError('openvpn/too-old', { details: { path: found, version } })
  }
  return { path: found, version }
}

/** Returns whether a version is newer than any that Causeway was tried with. */
export function isUntried(version: string): boolean {
  const { major, minor } = newestTriedOpenVpn
  return !isBefore(version, { major, minor: minor + 1 })
}

function isBefore(version: string, other: { readonly major: number; readonly minor: number }): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < other.major || (major === other.major && minor < other.minor)
}

/** Creates a `findOpenVpn` that caches its last result while the file is unchanged. */
export function createOpenVpnFinder(): (binary?: string) => Promise<InstalledOpenVpn> {
  let known:
    | { readonly binary: string | undefined; readonly openVpn: InstalledOpenVpn; readonly modified: number }
    | undefined
  return async (binary) => {
    if (
      known === undefined ||
      known.binary !== binary ||
      known.modified !== (await modificationTime(known.openVpn.path))
    ) {
      const openVpn = await findOpenVpn(binary)
      known = { binary, openVpn, modified: (await modificationTime(openVpn.path)) ?? 0 }
    }
    return known.openVpn
  }
}

async function locate(
  binary: string | undefined,
  { platform = process.platform, searchPath = process.env.PATH ?? '' }: FindOptions,
): Promise<string | undefined> {
  if (binary !== undefined) {
    const file = path.resolve(binary)
    return (await answerOf(file, () => isProgram(file))) ? file : undefined
  }
  const windows = platform === 'win32'
  const folders = [
    // A relative folder would run a program of the working directory.
    ...searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
    ...(windows ? usualFoldersOnWindows : usualFolders),
  ]
  const names = windows ? ['openvpn.exe'] : platform === 'darwin' ? ['openvpn', 'openvpn2'] : ['openvpn']
  for (const candidate of folders.flatMap((folder) => names.map((name) => path.join(folder, name)))) {
    // A folder in PATH may be on a disk that is gone.
    if (await answerOf(candidate, () => isProgram(candidate)).catch(() => false)) {
      return candidate
    }
  }
  return undefined
}

/** Throws `openvpn/not-found` for a program whose disk gives no answer. */
async function answerOf<T>(file: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await whileAnswering(file, ask, { limitMs: timeout })
  } catch (error) {
    throw hasCode(error, 'data/not-responding') ? notResponding(file) : error
  }
}

async function readVersion(file: string): Promise<string> {
  // Some versions print the version and exit with 1.
  const result = await resultWithin(
    timeout,
    execa(file, ['--version'], { reject: false, stdin: 'ignore', maxBuffer: 100_000 }),
  )
  if (result === undefined) throw notResponding(file)
  const version = /^OpenVPN (\d+\.\d+(?:\.\d+)?)/.exec(result.stdout)?.[1]
  if (version === undefined) throw programNotFound(file)
  return version
}

async function modificationTime(file: string): Promise<number | undefined> {
  try {
    return (await answerOf(file, () => stat(file))).mtimeMs
  } catch {
    return undefined
  }
}

function notResponding(file: string): CausewayError {
  return new CausewayError('openvpn/not-found', { variant: 'not-responding', details: { path: file } })
}

export function programNotFound(binary: string | undefined): CausewayError {
  return binary === undefined
    ? new CausewayError('openvpn/not-found')
    : new CausewayError('openvpn/not-found', { variant: 'not-a-program', details: { path: binary } })
}
