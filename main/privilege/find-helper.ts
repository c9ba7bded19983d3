import { once } from 'node:events'
import { lstat, stat } from 'node:fs/promises'

import { isProgram } from '../platform/child-process/is-program'
import type { Elevation } from './helper-process'

/** The folders where packages and `causeway helper install` install the helper, beside its allow-list. */
export const helperFolder = {
  linux: '/usr/libexec/causeway',
  darwin: '/Library/PrivilegedHelperTools/org.causeway.helper',
} as const

export const installedHelper = `${
  process.platform === 'darwin' ? helperFolder.darwin : helperFolder.linux
}/causeway-helper`

/** The socket at which launchd listens for the helper on macOS (build/macos/org.causeway.helper.plist). */
export const helperSocket = '/var/run/org.causeway.helper.sock'

export interface UsableHelper<How extends Elevation = Elevation> {
  readonly helper: string
  readonly elevation: How
}

/**
 * Returns the installed helper and how to start it, or undefined if it, or a program to start it, is not installed. Ignores
 * a helper that others than root may write, because it would run with all rights.
 */
export async function findHelper(
  helper = installedHelper,
): Promise<UsableHelper<Exclude<Elevation, 'service'>> | undefined> {
  if (!['linux', 'darwin'].includes(process.platform) || !(await belongsToRoot(helper))) return undefined
  if (process.geteuid?.() === 0) return { helper, elevation: 'root' }
  if (process.platform === 'darwin') {
    return { helper, elevation: (await answersAtConsole(helperSocket)) ? 'launchd' : 'sudo-askpass' }
  }
  const elevation = await wayToRoot()
  return elevation && { helper, elevation }
}

/** The programs that run others as root. `pkexec` asks for permission in a window of the system. */
export const rootPrograms = { pkexec: '/usr/bin/pkexec', sudo: '/usr/bin/sudo' } as const

/** Returns the program that runs others as root here. `programs`: default: the system's. */
export async function wayToRoot(
  programs: Readonly<Record<'pkexec' | 'sudo', string>> = rootPrograms,
): Promise<'pkexec' | 'sudo' | undefined> {
  if (await isProgram(programs.pkexec)) return 'pkexec'
  return (await isProgram(programs.sudo)) ? 'sudo' : undefined
}

/**
 * Returns whether launchd starts the helper for this user, who has to own the console, without a password. A socket of
 * root's may be left of a daemon that was turned off, so this connects to it.
 */
export async function answersAtConsole(socket: string, console = '/dev/console'): Promise<boolean> {
  try {
    const [listener, terminal] = await Promise.all([lstat(socket), stat(console)])
    if (!listener.isSocket() || listener.uid !== 0 || terminal.uid !== process.getuid?.()) return false
    const { connect } = await import('node:net')
    const call = connect(socket)
    await once(call, 'connect')
    call.destroy()
    return true
  } catch {
    return false
  }
}

async function belongsToRoot(file: string): Promise<boolean> {
  try {
    const { uid, mode } = await lstat(file)
    return uid === 0 && (mode & 0o022) === 0 && (await isProgram(file))
  } catch {
    return false
  }
}
