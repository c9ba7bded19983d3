import { existsSync } from 'node:fs'
import { lstat, readFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'

import { CausewayError } from '../errors'
import { helperFolder } from '../openvpn/find-helper'
import { isProgram } from '../programs/is-program'

interface HelperFile {
  readonly source: string
  readonly target: string
  readonly mode: '0755' | '0644'
}

export type HelperStatus = 'installed' | 'other-version' | 'not-installed'

/** Where the helper is installed: at the root of the system, or under another folder in tests. */
export interface InstallOptions {
  readonly root?: string
  /** A folder in or under the source tree that the helper is installed from. */
  readonly startAt?: string
}

/**
 * Copies the helper, its list and its polkit action out of the source tree to where root alone may write (docs/
 * platforms.md), asking for the right to do so. For installs from source: packages bring these files themselves.
 *
 * @throws CausewayError `helper/not-installed` where there is no source tree, a file of it is a link, or copying failed
 */
export async function installHelper(options: InstallOptions = {}): Promise<void> {
  const files = helperFiles(options)
  for (const { source } of files) {
    if (!(await lstat(source)).isFile()) throw notInstallable(`${source} is not a plain file.`)
  }
  const commands = files.map(
    ({ mode }, index) => `install -D -o root -g root -m ${mode} -- "$${2 * index + 1}" "$${2 * index + 2}"`,
  )
  await asRoot(
    commands.join(' && '),
    files.flatMap(({ source, target }) => [source, target]),
  )
}

/** Removes what installHelper copied. Throws `helper/not-installed` when that is not allowed. */
export async function removeHelper({ root = '/' }: InstallOptions = {}): Promise<void> {
  const targets = targetsUnder(root).map(({ target }) => target)
  await asRoot('rm -f -- "$@" && { rmdir -- "${1%/*}" 2>/dev/null || true; }', targets)
}

/** Compares what is installed with the source tree, byte by byte; without one, only looks whether it is there. */
export async function helperStatus(options: InstallOptions = {}): Promise<HelperStatus> {
  const targets = targetsUnder(options.root ?? '/')
  if (!targets.every(({ target }) => existsSync(target))) return 'not-installed'
  const tree = sourceTree(options.startAt)
  if (tree === undefined) return 'installed'
  const same = await Promise.all(
    helperFiles(options).map(async ({ source, target }) =>
      (await readFile(source)).equals(await readFile(target)),
    ),
  )
  return same.every(Boolean) ? 'installed' : 'other-version'
}

const parts = [
  { from: 'build/linux/causeway-helper', to: `${helperFolder}/causeway-helper`, mode: '0755' },
  {
    from: 'main/openvpn/allowed-directives.json',
    to: `${helperFolder}/allowed-directives.json`,
    mode: '0644',
  },
  {
    from: 'build/linux/org.causeway.helper.policy',
    to: '/usr/share/polkit-1/actions/org.causeway.helper.policy',
    mode: '0644',
  },
] as const

function targetsUnder(root: string) {
  return parts.map(({ from, to, mode }) => ({ from, target: path.join(root, to), mode }))
}

function helperFiles({ root = '/', startAt }: InstallOptions): HelperFile[] {
  const tree = sourceTree(startAt)
  if (tree === undefined) {
    throw notInstallable('The helper can only be installed from a source tree; packages bring it along.')
  }
  return targetsUnder(root).map(({ from, target, mode }) => ({ source: path.join(tree, from), target, mode }))
}

/** The folder above this program that holds every file to install. */
function sourceTree(startAt = import.meta.dirname): string | undefined {
  let folder = startAt
  while (!parts.every(({ from }) => existsSync(path.join(folder, from)))) {
    const parent = path.dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
  return folder
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
