import { rm } from 'node:fs/promises'
import { dirname, isAbsolute } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { CausewayError } from '../../errors'
import { readIfPresent, unwritable } from '../storage/data-errors'
import { isProgram } from '../child-process/is-program'
import type { SystemSwitch } from '../settings/system-switch'
import { type AppStart, commandAtLogin, dataDirOf } from './app-command'
import { readAutostartEntry, writeAutostartEntry } from './autostart-entry'
import { makeFolder } from '../storage/make-folder'

/**
 * Starts the app at login through XDG autostart, as on Linux desktops. It is on if the entry exists, is not disabled by the
 * user, and starts this Causeway: with the same data directory and an existing program.
 */
export function createXdgAutostart(options: {
  /** Absolute path of the entry. */
  readonly path: string
  readonly app: Omit<AppStart, 'program'>
  /** Returns undefined if the app's location is unknown. */
  readonly program: () => Promise<readonly [string, ...string[]] | undefined>
}): SystemSwitch {
  const { path, app } = options

  async function entry(): Promise<{ readonly switchedOff: boolean; readonly starts: boolean } | undefined> {
    const text = await readIfPresent(path)
    if (text === undefined) return undefined
    const { switchedOff, command } = readAutostartEntry(text.toString('utf8'))
    if (dataDirOf(command, app.defaultDataDir) !== app.dataDir) return undefined
    const [program] = command
    return {
      switchedOff,
      // The desktop searches for a program without a folder.
      starts: program !== undefined && (!isAbsolute(program) || (await isProgram(program))),
    }
  }

  async function isOn(): Promise<boolean> {
    const found = await entry()
    return found !== undefined && found.starts && !found.switchedOff
  }

  return {
    // An entry that cannot be read now cannot be read at login.
    isOn: () => isOn().catch(() => false),
    set: async (on) => {
      if (on === (await isOn())) return
      if (!on) {
        // An entry that the user disabled also hides a system-wide one.
        if ((await entry())?.switchedOff === false) await changing(path, () => rm(path, { force: true }))
        return
      }
      const program = await options.program()
      if (program === undefined) throw windowOnly()
      await changing(path, async () => {
        await makeFolder(dirname(path))
        await writeFileAtomic(path, writeAutostartEntry(commandAtLogin({ ...app, program })), { mode: 0o644 })
      })
    },
  }
}

/** A switch for the terminal command, where only the app can ask the system. */
export const onlyInWindow: SystemSwitch = {
  isOn: () => Promise.resolve(undefined),
  set: () => Promise.reject(windowOnly()),
}

function windowOnly(): CausewayError {
  return new CausewayError('start-at-login/window-only')
}

async function changing(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (cause) {
    throw unwritable(path, cause)
  }
}
