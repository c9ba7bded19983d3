import { existsSync } from 'node:fs'
import { copyFile, lstat, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { execa } from 'execa'

import { CausewayError } from '../errors'
import { isProgram } from '../programs/is-program'
import { findHelperFiles, type HelperPlatform, helperTargets } from './helper-files'

export type HelperStatus = 'installed' | 'other-version' | 'not-installed'

/** Where the helper is installed: at the root of the system, or under another folder in tests. */
export interface InstallOptions {
  readonly root?: string
  /** A folder in or under the source tree, or the package's resources, that the helper is installed from. */
  readonly startAt?: string
  readonly platform?: NodeJS.Platform
}

/**
 * Copies the helper and what belongs to it to where root alone may write (docs/platforms.md), asking for the right to
 * do so: out of the source tree, or out of the package that this program is in. Debian and RPM packages install it
 * themselves.
 *
 * @throws CausewayError `helper/not-installed` where there is nothing to install, a file of it is a link, or copying failed
 */
export async function installHelper(options: InstallOptions = {}): Promise<void> {
  const files = findFiles(platformOf(options), options)
  if (files === undefined) {
    throw notInstallable('This Causeway does not hold the files of the helper.')
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'causeway-helper-'))
  try {
    const copies: string[] = []
    for (const [index, { source }] of files.entries()) {
      if (!(await lstat(source)).isFile()) throw notInstallable(`${source} is not a plain file.`)
      // An AppImage is a file system that even root may not read.
      const copy = path.join(folder, String(index))
      await copyFile(source, copy)
      copies.push(copy)
    }
    // GNU's and Apple's programs have these words in common. 0:0 is root:root on Linux, root:wheel on macOS.
    const commands = files.map(
      ({ mode }, index) =>
        `mkdir -p -- "$(dirname -- "$${2 * index + 2}")" && ` +
        `install -o 0 -g 0 -m ${mode} -- "$${2 * index + 1}" "$${2 * index + 2}"`,
    )
    await asRoot(
      ['umask 022', ...commands].join(' && '),
      files.flatMap(({ target }, index) => [copies[index] ?? '', target]),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes what installHelper copied. Throws `helper/not-installed` when that is not allowed. */
export async function removeHelper(options: InstallOptions = {}): Promise<void> {
  const targets = helperTargets(platformOf(options), options.root ?? '/')
  await asRoot('rm -f -- "$@" && { rmdir -- "${1%/*}" 2>/dev/null || true; }', targets)
}

/** Compares what is installed with what this program would install, byte by byte; without that, only looks. */
export async function helperStatus(options: InstallOptions = {}): Promise<HelperStatus> {
  const platform = platformOf(options)
  if (!helperTargets(platform, options.root ?? '/').every((target) => existsSync(target)))
    return 'not-installed'
  const files = findFiles(platform, options)
  if (files === undefined) return 'installed'
  const same = await Promise.all(
    files.map(async ({ source, target }) => (await readFile(source)).equals(await readFile(target))),
  )
  return same.every(Boolean) ? 'installed' : 'other-version'
}

function findFiles(platform: HelperPlatform, { root = '/', startAt = import.meta.dirname }: InstallOptions) {
  return findHelperFiles(platform, root, startAt)
}

function platformOf({ platform = process.platform }: InstallOptions): HelperPlatform {
  if (platform === 'linux' || platform === 'darwin') return platform
  throw notInstallable('There is none for this system.')
}

async function asRoot(script: string, words: readonly string[]): Promise<void> {
  const shell = ['/bin/sh', '-c', script, 'causeway', ...words]
  const [program = '', ...rest] = [...(await elevation()), ...shell]
  const { exitCode } = await execa(program, rest, { reject: false, stdio: ['inherit', 2, 2] })
  if (exitCode !== 0) throw notInstallable('It was not allowed, or a file could not be written.')
}

async function elevation(): Promise<string[]> {
  if (process.geteuid?.() === 0) return []
  if (await isProgram('/usr/bin/pkexec')) return ['/usr/bin/pkexec']
  if (await isProgram('/usr/bin/sudo')) return ['/usr/bin/sudo', '--']
  throw notInstallable('Neither pkexec nor sudo is here to ask for the right to install it.')
}

function notInstallable(why: string): CausewayError {
  return new CausewayError(
    'helper/not-installed',
    `Causeway's helper was not installed or removed. ${why} See docs/platforms.md for doing it by hand.`,
  )
}
