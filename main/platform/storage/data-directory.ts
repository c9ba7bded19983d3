import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname, join, posix, resolve, win32 } from 'node:path'
import { reasonOf } from './file-system-error'

interface DataDirectoryOptions {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home directory. */
  readonly home: string
  /** The value of `--data-dir`; relative to the working directory. */
  readonly override?: string | undefined
}

/** Returns the absolute path of Causeway's data directory, which may not exist yet. */
export function dataDirectory({ platform, env, home, override }: DataDirectoryOptions): string {
  if (override !== undefined && override !== '') return resolve(override)
  if (platform === 'win32') {
    const roaming = win32.join(home, 'AppData', 'Roaming')
    return win32.join(absoluteOr(win32, env.APPDATA, roaming), 'causeway')
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'causeway')
  return posix.join(configHome(env, home), 'causeway')
}

/**
 * Returns true for a folder that another user owns or may write to, also as a member of its group, or with a file or a folder
 * inside that belongs to another user or that others can change. Where a disk is mounted in a folder that others can't enter,
 * its mode doesn't matter. Another user could put a program into the settings there, or
 * read what is stored there. False for a missing folder, and on Windows. Root may use another user's folder, and what root
 * owns is in nobody's way. Throws the system's error if the owner can't be determined.
 */
export function isOfOthers(folder: string, uid = process.getuid?.()): boolean {
  if (uid === undefined) return false
  const [link, found] = [ifPresent(lstatSync, folder), ifPresent(statSync, folder)]
  // Another user's link may lead nowhere now, and elsewhere later.
  if ([link, found].some((each) => each !== undefined && each.uid !== uid && uid !== 0)) return true
  if (found === undefined) return false
  const around = dirname(realpathSync(folder))
  // A mounted disk often is open to all, and can be so inside a private folder.
  const isPrivate = statSync(around).dev !== found.dev && !letsOthersIn(around, found.uid)
  if (!isPrivate && (found.mode & writableByOthers) !== 0) return true
  const owners = [0, found.uid]
  const isOpen = !isPrivate && (found.mode & 0o011) !== 0
  return entriesOf(folder).some((path) => {
    const [entry, target] = [ifPresent(lstatSync, path), ifPresent(statSync, path)]
    if ([entry, target].some((each) => each !== undefined && !owners.includes(each.uid))) return true
    if (isOpen && target !== undefined && (target.mode & writableByOthers) !== 0) return true
    if (entry?.isDirectory() !== true) return false
    return entriesOf(path).some((inner) => !owners.includes(ifPresent(lstatSync, inner)?.uid ?? 0))
  })
}

const writableByOthers = 0o022

/** Returns true if other users can enter a folder and those above it. */
function letsOthersIn(folder: string, uid: number): boolean {
  const { mode, uid: owner } = statSync(folder)
  if ((mode & 0o011) === 0 && (owner === uid || owner === 0)) return false
  return dirname(folder) === folder || letsOthersIn(dirname(folder), uid)
}

/** Returns the paths in a folder; none if it isn't a folder, or has gone meanwhile. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(reasonOf(error))) return []
    throw error
  }
}

function ifPresent(read: (path: string) => Stats, path: string): Stats | undefined {
  try {
    return read(path)
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the folder of the computer's policy, where only an administrator can write. */
export function policyFolder(platform: NodeJS.Platform): string {
  return platform === 'darwin' ? '/Library/Application Support/Causeway' : '/etc/causeway'
}

/** Returns the user's configuration directory on Linux (XDG base directory specification). */
export function configHome(env: Readonly<Record<string, string | undefined>>, home: string): string {
  return absoluteOr(posix, env.XDG_CONFIG_HOME, posix.join(home, '.config'))
}

/** Returns the fallback for a relative path, which the XDG base directory specification ignores. */
function absoluteOr(path: typeof posix, value: string | undefined, fallback: string): string {
  return value !== undefined && path.isAbsolute(value) ? value : fallback
}
