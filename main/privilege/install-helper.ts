import { createHash } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { execa } from 'execa'

import { CausewayError } from '../errors'
import { isProgram } from '../platform/child-process/is-program'
import { findHelperFiles, type HelperPlatform, helperTargets } from './helper-files'

export type HelperStatus = 'installed' | 'other-version' | 'not-installed'

/** Where the helper is installed: at the root of the system, or under another folder in tests. */
export interface InstallOptions {
  readonly root?: string
  /** A folder in or under the source tree, or the package's resources, that the helper is installed from. */
  readonly startAt?: string
  readonly platform?: NodeJS.Platform
  /** The words that start a program as root, other than those of this system. */
  readonly elevate?: readonly string[]
}

/**
 * Installs the helper and what belongs to it where root alone may write (docs/helper.md), asking for the right to do so:
 * out of the source tree, or out of the package that this program is in. Debian and RPM packages install it themselves.
 * The bytes that were read here go to root through a pipe, with their hash in the command, so that no other program of
 * this user can change them while the password is typed.
 *
 * @throws CausewayError `helper/not-installed` where there is nothing to install, a file of it is a link, or copying failed
 */
export async function installHelper(options: InstallOptions = {}): Promise<void> {
  const files = findFiles(platformOf(options), options)
  if (files === undefined)
    throw notInstallable(
      "This copy of Causeway doesn't include it. In a source checkout, build it first: npm run build:helper",
    )
  const contents = await Promise.all(files.map(({ source }) => readPlainFile(source)))
  const words = files.flatMap(({ target, mode }, index) => {
    const content = contents[index] ?? Buffer.alloc(0)
    const hash = createHash('sha256').update(content).digest('hex')
    return [target, mode, hash, String(content.length)]
  })
  await asRoot(installScript, words, options, Buffer.concat(contents))
}

async function readPlainFile(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  try {
    if (handle !== undefined && (await handle.stat()).isFile()) return await handle.readFile()
  } finally {
    await handle?.close()
  }
  throw notInstallable(`${file} is not a plain file.`)
}

const systemPath = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH\n'

/**
 * Run by root: for each file its target, mode, hash and size in bytes; the contents one after the other on standard
 * input. GNU's and Apple's programs have these options in common. 0:0 is root:root on Linux, root:wheel on macOS.
 */
const installScript = `${systemPath}set -eu
umask 022
sum() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi; }
made=$(mktemp -d /tmp/causeway-install.XXXXXX)
trap 'rm -rf -- "$made"' EXIT
cat >"$made/all"
visit() {
  action=$1 from=1
  shift
  while [ "$#" -gt 0 ]; do
    tail -c "+$from" "$made/all" | head -c "$4" >"$made/one"
    if [ "$action" = check ]; then
      [ "$(sum <"$made/one")" = "$3  -" ]
    else
      mkdir -p -- "\${1%/*}"
      cat "$made/one" >"$1.new"
      chown 0:0 "$1.new"
      chmod "$2" "$1.new"
      mv -f -- "$1.new" "$1"
    fi
    from=$((from + $4))
    shift 4
  done
}
visit check "$@"
visit put "$@"
`

/** Removes what installHelper installed, and lifts all kill switches, which nothing could do afterwards. */
export async function removeHelper(options: InstallOptions = {}): Promise<void> {
  const targets = helperTargets(platformOf(options), options.root ?? '/')
  const release = options.root === undefined ? '[ ! -x "$1" ] || env -i "$1" release --all || exit 1\n' : ''
  await asRoot(
    `${systemPath}${release}rm -f -- "$@" && { rmdir -- "\${1%/*}" 2>/dev/null || true; }`,
    targets,
    options,
  )
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
  throw notInstallable("The helper isn't supported on this system.")
}

async function asRoot(
  script: string,
  words: readonly string[],
  { elevate }: InstallOptions,
  input = Buffer.alloc(0),
): Promise<void> {
  const shell = ['/bin/sh', '-c', script, 'causeway', ...words]
  const [program = '', ...rest] = [...(elevate ?? (await elevation())), ...shell]
  const { exitCode } = await execa(program, rest, { reject: false, input, stdout: 2, stderr: 2 })
  if (exitCode !== 0) throw notInstallable("Permission was denied, or a file couldn't be written.")
}

async function elevation(): Promise<string[]> {
  if (process.geteuid?.() === 0) return []
  if (await isProgram('/usr/bin/pkexec')) return ['/usr/bin/pkexec']
  if (await isProgram('/usr/bin/sudo')) return ['/usr/bin/sudo', '--']
  throw notInstallable('Neither pkexec nor sudo is installed to ask for permission.')
}

function notInstallable(why: string): CausewayError {
  return new CausewayError(
    'helper/not-installed',
    `Causeway's helper couldn't be installed or removed. ${why} See docs/helper.md.`,
  )
}
