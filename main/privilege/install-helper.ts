import { createHash } from 'node:crypto'
import { constants, existsSync, type Stats } from 'node:fs'
import { lstat, open, readFile, realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { execa } from 'execa'

import type { VariantOf } from '../../contract/error-details'
import { CausewayError } from '../errors'
import { helperSocket, rootPrograms, wayToRoot } from './find-helper'
import {
  findHelperFiles,
  helperHere,
  type HelperPlatform,
  helperTargets,
  isHelperInstalled,
} from './helper-files'

type HelperStatus = 'installed' | 'other-version' | 'not-installed'

/** Options for installing at the root of the system, or under another folder in tests. */
interface InstallOptions {
  readonly root?: string
  /** A folder in the source tree or the package's resources that contains the helper. */
  readonly startAt?: string
  /** The users, besides root, whose files may be installed; default: whoever runs this, also by sudo. */
  readonly owners?: readonly number[]
  readonly platform?: NodeJS.Platform
  /** The command prefix for running as root; default: the one of this system. */
  readonly elevate?: readonly string[]
}

/**
 * Installs the helper and its files for root alone (docs/helper.md), after asking for permission: from the source tree, or
 * from the package of this program. Debian and RPM packages install it themselves. The contents are passed to root through
 * a pipe, with their hashes in the command, so that no other program of this user can change them during the password
 * prompt.
 *
 * @throws CausewayError `helper/not-installed` if there is nothing to install, a file is a symbolic link or another user can
 * change it, or copying failed
 */
export async function installHelper(options: InstallOptions = {}): Promise<void> {
  const platform = platformOf(options)
  const files = findFiles(platform, options)
  if (files === undefined) throw notInstallable('not-included')
  const { owners = [process.geteuid?.(), sudoUser()] } = options
  const contents = await Promise.all(files.map(({ source }) => readOwnFile(source, [0, ...owners], platform)))
  const words = files.flatMap(({ target, mode }, index) => {
    const content = contents[index] ?? Buffer.alloc(0)
    const hash = createHash('sha256').update(content).digest('hex')
    return [target, mode, hash, String(content.length)]
  })
  const start = options.root === undefined ? `rm -f -- ${stoppedMarks}\n` : ''
  const script = `${installScript}${start}${daemon(options).load}`
  const { exitCode } = await runAsRoot(script, words, options, { input: Buffer.concat(contents) })
  if (exitCode !== 0) throw notInstallable('not-permitted')
}

/**
 * Installs the helper for the window, where only a dialog of the system may ask. Throws as `installHelper`, and if
 * `helperHere` doesn't say `installable`.
 */
export async function installHelperInWindow(): Promise<void> {
  if ((await helperHere()) !== 'installable') throw notInstallable('no-elevation')
  await installHelper({ elevate: [rootPrograms.pkexec, '--disable-internal-agent'] })
}

/** Reads a plain file that only root and these users can change, also by replacing a folder on the way to it. */
async function readOwnFile(
  file: string,
  owners: readonly (number | undefined)[],
  platform: HelperPlatform,
): Promise<Buffer> {
  const isOthers = ({ uid, gid, mode }: Stats) => {
    // Administrators of macOS, who may use sudo, may write to /Applications.
    const byOthers = platform === 'darwin' && uid === 0 && gid === 80 ? 0o002 : 0o022
    return !owners.includes(uid) || (mode & byOthers) !== 0
  }
  const requireOwn = (path: string, found: Stats) => {
    // In a sticky folder such as /tmp, others can't replace what isn't theirs.
    if (
      isOthers(found) &&
      !(owners.includes(found.uid) && (found.mode & 0o1000) !== 0 && found.isDirectory())
    )
      throw new CausewayError('helper/not-installed', { variant: 'others-file', details: { path } })
  }
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  )
  try {
    const found = await handle?.stat()
    if (handle !== undefined && found?.isFile() === true) {
      requireOwn(file, found)
      const inside = await realpath(dirname(file))
      for (let folder = inside; ; folder = dirname(folder)) {
        requireOwn(folder, await lstat(folder))
        if (dirname(folder) === folder) break
      }
      return await handle.readFile()
    }
  } finally {
    await handle?.close()
  }
  throw notInstallable('not-plain-file')
}

/** Returns the user who runs this by sudo. */
function sudoUser(): number | undefined {
  return process.geteuid?.() === 0 && /^\d+$/.test(process.env.SUDO_UID ?? '')
    ? Number(process.env.SUDO_UID)
    : undefined
}

const systemPath = 'PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH\n'

/**
 * Run as root with the target, mode, hash and size in bytes of each file, and the contents one after the other on standard
 * input. Uses only options that GNU's and Apple's programs have in common. 0:0 is root:root on Linux, root:wheel on macOS.
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

/**
 * Returns commands for launchd, which listens for the helper on macOS (build/macos/postinstall). Loading fails if it does
 * already, or if somebody has turned it off.
 */
function daemon(options: InstallOptions): { readonly load: string; readonly unload: string } {
  if (platformOf(options) !== 'darwin' || options.root !== undefined) return { load: '', unload: '' }
  const name = 'org.causeway.helper'
  return {
    load: `launchctl bootstrap system /Library/LaunchDaemons/${name}.plist || true\n`,
    unload: `launchctl bootout system/${name} || true\nrm -f -- ${helperSocket}\n`,
  }
}

/** Removes what installHelper installed, after ending tunnels and lifting all kill switches, which nothing could lift later. */
export async function removeHelper(options: InstallOptions = {}): Promise<void> {
  const targets = helperTargets(platformOf(options), options.root ?? '/')
  const { load, unload } = daemon(options)
  const release =
    options.root === undefined
      ? `[ ! -x "$1" ] || { env -i "$1" stop --all && env -i "$1" release --all; } || { rm -f -- ${stoppedMarks}; ${load}exit 1; }\n`
      : ''
  const { exitCode } = await runAsRoot(
    `${systemPath}${unload}${release}rm -f -- "$@" ${options.root === undefined ? `${groupRule} ${oldGroupRule} ${stoppedMarks}` : ''} && { rmdir -- "\${1%/*}" 2>/dev/null || true; }`,
    targets,
    options,
  )
  if (exitCode !== 0) throw notInstallable('not-removed')
}

/** While it exists, the helper starts no tunnel (docs/helper.md): of Linux and of macOS. */
const stoppedMarks = '/run/causeway/stopped /var/run/causeway/stopped'

/**
 * The rule that `allowHelper` and `denyHelper` write, for polkit, and for polkit up to 0.105, which Debian 11 and Ubuntu 22.04 have. Rules of an
 * administrator with a lower number come first.
 */
const groupRule = '/etc/polkit-1/rules.d/49-causeway-helper.rules'
const oldGroupRule = '/etc/polkit-1/localauthority/50-local.d/causeway-helper.pkla'

/** Exit statuses of `groupsScript`. */
const notApplied = 20
const notTested = 21

/**
 * Run as root with both paths, `allow`, `deny` or `list`, and the group. It checks the name again, and writes the file that the
 * installed polkit reads with one group more or less; without any group, it removes it. Then it asks polkit as a member of an
 * allowed group. The rule answers for the helper's action and no other. Polkit sees a change after a moment.
 */
const groupsScript = `${systemPath}set -eu
umask 022
allowed() {
  if [ -e "$1" ]; then sed -n 's/.*isInGroup("\\([A-Za-z_][A-Za-z0-9_.-]*\\)").*/\\1/p' "$1"; fi
  if [ -e "$2" ]; then sed -n 's/^Identity=//p' "$2" | tr ';' '\\n' | sed 's/^unix-group://'; fi
}
before=$(allowed "$1" "$2" | sort -u)
if [ "$3" = list ]; then
  echo "$before"
  exit 0
fi
case $4 in '' | [!A-Za-z_]* | *[!A-Za-z0-9_.-]*) exit 1 ;; esac
version=$(pkaction --version 2>/dev/null) || version=
case \${version##* } in
  0.? | 0.?? | 0.10[0-5]) rule=$2 other=$1 ;;
  *) rule=$1 other=$2 ;;
esac
write() {
  if [ "$#" = 0 ]; then
    rm -f -- "$rule" "$other"
    return
  fi
  [ -d "\${rule%/*}" ]
  if [ "\${rule##*.}" = rules ]; then
    echo '// Written by causeway helper allow and deny, and removed by causeway helper remove.'
    echo 'polkit.addRule(function (action, subject) {'
    echo '  if (action.id !== "org.causeway.helper") return polkit.Result.NOT_HANDLED'
    for each; do echo "  if (subject.isInGroup(\\"$each\\")) return polkit.Result.YES"; done
    echo '  return polkit.Result.NOT_HANDLED'
    echo '})'
  else
    echo '# Written by causeway helper allow and deny, and removed by causeway helper remove.'
    echo "[Causeway's helper]"
    echo "Identity=$(printf 'unix-group:%s;' "$@" | sed 's/;$//')"
    echo 'Action=org.causeway.helper'
    printf 'Result%s=yes\\n' Any Inactive Active
  fi >"$rule.new"
  chmod 0644 "$rule.new"
  mv -f -- "$rule.new" "$rule"
  rm -f -- "$other"
}
others=$(echo "$before" | grep -vxF -e "$4") || true
if [ "$3" = deny ]; then
  write $others
  exit 0
fi
group=$(getent group "$4")
write $others "$4"

number=$(echo "$group" | cut -d: -f3)
member=
for user in $(echo "$group" | cut -d: -f4 | tr , ' ') $(getent passwd | awk -F: -v gid="$number" '$4 == gid { print $1 }'); do
  if [ -z "$member" ] && [ "$(id -u "$user" 2>/dev/null || echo 0)" != 0 ]; then member=$user; fi
done
[ -n "$member" ] || exit ${notTested}
tries=0
while [ "$tries" -lt 20 ]; do
  answer=0
  setpriv --reuid="$(id -u "$member")" --regid="$(id -g "$member")" --init-groups -- \
    /bin/sh -c 'exec pkcheck --action-id org.causeway.helper --process $$' >/dev/null 2>&1 || answer=$?
  case $answer in
    0) exit 0 ;;
    1 | 2) ;;
    *) exit ${notTested} ;;
  esac
  tries=$((tries + 1))
  sleep 0.2
done
write $before
exit ${notApplied}
`

/**
 * Lets the members of one more group start the helper without a password, in any session, also over ssh and in a service. Returns
 * false if polkit couldn't be asked whether it does, such as for a group without members. Throws `helper/not-installed`, also on
 * other systems than Linux, and if polkit doesn't follow the rule.
 */
export async function allowHelper(group: string, options: InstallOptions = {}): Promise<boolean> {
  const { exitCode } = await runForGroups(['allow', group], options)
  if (exitCode === notApplied) throw notInstallable('rule-not-applied')
  if (exitCode !== 0 && exitCode !== notTested) throw notInstallable('groups-not-changed')
  return exitCode === 0
}

/** Takes back what `allowHelper` gave the group, if it did. Throws `helper/not-installed`. */
export async function denyHelper(group: string, options: InstallOptions = {}): Promise<void> {
  const { exitCode } = await runForGroups(['deny', group], options)
  if (exitCode !== 0) throw notInstallable('groups-not-changed')
}

/** Returns the groups that `allowHelper` let start the helper. Only root may read them on some systems. Throws `helper/not-installed`. */
export async function allowedGroups(options: InstallOptions = {}): Promise<string[]> {
  const { exitCode, stdout } = await runForGroups(['list'], options)
  if (exitCode !== 0) throw notInstallable('groups-not-read')
  return stdout.split('\n').filter((line) => line !== '')
}

function runForGroups(words: readonly string[], options: InstallOptions) {
  if (platformOf(options) !== 'linux') throw notInstallable('groups-unsupported')
  return runAsRoot(groupsScript, [groupRule, oldGroupRule, ...words], options, { stdout: 'pipe' })
}

/** Compares the installed files with those that this program would install; without any, only checks that they exist. */
export async function helperStatus(options: InstallOptions = {}): Promise<HelperStatus> {
  const platform = platformOf(options)
  if (!isHelperInstalled(platform, options.root ?? '/')) return 'not-installed'
  const files = findFiles(platform, options)
  if (files === undefined) return 'installed'
  const same = await Promise.all(
    files.map(
      async ({ source, target }) =>
        existsSync(target) && (await readFile(source)).equals(await readFile(target)),
    ),
  )
  return same.every(Boolean) ? 'installed' : 'other-version'
}

function findFiles(platform: HelperPlatform, { root = '/', startAt = import.meta.dirname }: InstallOptions) {
  return findHelperFiles(platform, root, startAt)
}

function platformOf({ platform = process.platform }: InstallOptions): HelperPlatform {
  if (platform === 'linux' || platform === 'darwin') return platform
  throw notInstallable('unsupported-system')
}

/** Runs a script and returns its exit status, undefined if it was not started, or ended by a signal, and its output. */
async function runAsRoot(
  script: string,
  words: readonly string[],
  { elevate }: InstallOptions,
  { input = Buffer.alloc(0), stdout = 2 }: { readonly input?: Buffer; readonly stdout?: 2 | 'pipe' } = {},
): Promise<{ readonly exitCode?: number | undefined; readonly stdout: string }> {
  const shell = ['/bin/sh', '-c', script, 'causeway', ...words]
  const [program = '', ...rest] = [...(elevate ?? (await elevation())), ...shell]
  const ended = await execa(program, rest, { reject: false, input, stdout, stderr: 2 })
  return { exitCode: ended.exitCode, stdout: typeof ended.stdout === 'string' ? ended.stdout : '' }
}

async function elevation(): Promise<string[]> {
  if (process.geteuid?.() === 0) return []
  const way = await wayToRoot()
  if (way === undefined) throw notInstallable('no-elevation')
  return way === 'sudo' ? [rootPrograms.sudo, '--'] : [rootPrograms.pkexec]
}

function notInstallable(variant: VariantOf<'helper/not-installed'>): CausewayError {
  return new CausewayError('helper/not-installed', { variant })
}
