import { stat } from 'node:fs/promises'
import path from 'node:path'

import { execa } from 'execa'

import { CausewayError } from '../../errors'
import { isProgram } from '../../platform/child-process/is-program'

export interface InstalledOpenVpn {
  readonly path: string
  readonly version: string
}

export interface FindOptions {
  readonly platform?: NodeJS.Platform
  /** The folders to look in first, as in the environment variable PATH. */
  readonly searchPath?: string
}

const oldest = { major: 2, minor: 5 }
const versionTimeout = 5000
/** Where OpenVPN is installed without being in a desktop session's PATH. */
const usualFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin', '/opt/local/sbin']
const usualFoldersOnWindows = ['C:\\Program Files\\OpenVPN\\bin']

/**
 * The OpenVPN to use and its version.
 *
 * @param binary the path that the user gave; then no other place is looked at
 * @throws CausewayError `openvpn/not-found`, `openvpn/too-old` for one older than 2.5
 */
export async function findOpenVpn(binary?: string, options: FindOptions = {}): Promise<InstalledOpenVpn> {
  const found = await locate(binary, options)
  if (found === undefined) {
    throw programNotFound(binary)
  }
  const version = await readVersion(found)
  if (version === undefined) {
    throw programNotFound(found)
  }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor)) {
    throw new CausewayError(
      'openvpn/too-old',
      `The installed version of OpenVPN (${version}) is too old. Install version ${oldest.major}.${oldest.minor} or newer.`,
      { details: { path: found, version } },
    )
  }
  return { path: found, version }
}

/** `findOpenVpn` that remembers its last answer for as long as the file is the same. */
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
    return (await isProgram(binary)) ? path.resolve(binary) : undefined
  }
  const windows = platform === 'win32'
  const folders = [
    // A relative folder in PATH would let the working directory decide which program runs.
    ...searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
    ...(windows ? usualFoldersOnWindows : usualFolders),
  ]
  for (const folder of folders) {
    const candidate = path.join(folder, windows ? 'openvpn.exe' : 'openvpn')
    if (await isProgram(candidate)) {
      return candidate
    }
  }
  return undefined
}

async function readVersion(file: string): Promise<string | undefined> {
  // Some versions print it and exit with 1.
  const { stdout } = await execa(file, ['--version'], {
    reject: false,
    timeout: versionTimeout,
    stdin: 'ignore',
    maxBuffer: 100_000,
  })
  return /^OpenVPN (\d+\.\d+(?:\.\d+)?)/.exec(stdout)?.[1]
}

async function modificationTime(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mtimeMs
  } catch {
    return undefined
  }
}

export function programNotFound(binary: string | undefined): CausewayError {
  return binary === undefined
    ? new CausewayError(
        'openvpn/not-found',
        "OpenVPN isn't installed, or Causeway can't find it. Install version 2.5 or newer, or specify its path with --openvpn PATH.",
      )
    : new CausewayError(
        'openvpn/not-found',
        "The specified OpenVPN path isn't a program that can be run. Specify the path of OpenVPN with --openvpn PATH.",
        { details: { path: binary } },
      )
}
