import { mkdir, rm } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { CausewayError } from '../../errors'
import { readRegularFile } from '../storage/regular-file'
import { isProgram } from '../child-process/is-program'
import type { SystemSwitch } from '../settings/system-switch'
import { type AppStart, commandAtLogin, dataDirOf } from './app-command'
import { readAutostartEntry, writeAutostartEntry } from './autostart-entry'

/**
 * Starting at login by XDG autostart, as the desktops of Linux do. On means that the entry starts this Causeway: that
 * it is there, not switched off by the user, with the same data directory and a program that there still is.
 */
export function createXdgAutostart(options: {
  /** Of the entry; absolute. */
  readonly path: string
  readonly app: Omit<AppStart, 'program'>
  /** Undefined where it is not known where the app is. */
  readonly program: () => Promise<readonly [string, ...string[]] | undefined>
}): SystemSwitch {
  const { path, app } = options

  async function entry(): Promise<{ readonly switchedOff: boolean; readonly starts: boolean } | undefined> {
    const text = await readIfPresent(path)
    if (text === undefined) return undefined
    const { switchedOff, command } = readAutostartEntry(text)
    if (dataDirOf(command, app.defaultDataDir) !== app.dataDir) return undefined
    const [program] = command
    return {
      switchedOff,
      // What stands without its folder is looked for by the desktop.
      starts: program !== undefined && (!isAbsolute(program) || (await isProgram(program))),
    }
  }

  async function isOn(): Promise<boolean> {
    const found = await entry()
    return found !== undefined && found.starts && !found.switchedOff
  }

  return {
    // What cannot be read here cannot be read at login either.
    isOn: () => isOn().catch(() => false),
    set: async (on) => {
      if (on === (await isOn())) return
      if (!on) {
        // An entry that the user has switched off also hides one of the whole computer.
        if ((await entry())?.switchedOff === false) await changing(path, () => rm(path, { force: true }))
        return
      }
      const program = await options.program()
      if (program === undefined) throw windowOnly()
      await changing(path, async () => {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeFileAtomic(path, writeAutostartEntry(commandAtLogin({ ...app, program })), { mode: 0o644 })
      })
    },
  }
}

/** For the terminal command, where only the app itself can ask the system. */
export const onlyInWindow: SystemSwitch = {
  isOn: () => Promise.resolve(undefined),
  set: () => Promise.reject(windowOnly()),
}

function windowOnly(): CausewayError {
  return new CausewayError(
    'start-at-login/window-only',
    "You can't turn this on from the terminal on this system. Turn it on under Settings in the Causeway window.",
  )
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(path)).toString('utf8')
  } catch (cause) {
    if (reasonOf(cause) === 'ENOENT') return undefined
    throw new CausewayError(
      'data/unreadable',
      `Causeway couldn't read ${path}. Check that it's a file and that you have permission to read it.`,
      { details: { path, reason: reasonOf(cause) }, cause },
    )
  }
}

async function changing(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    throw new CausewayError(
      'data/unwritable',
      `Causeway couldn't write ${path}. Check that there's enough disk space and that you have permission to write there.`,
      { details: { path, reason: reasonOf(cause) }, cause },
    )
  }
}

/** The system's word for what went wrong, such as `EACCES`. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown'
}
