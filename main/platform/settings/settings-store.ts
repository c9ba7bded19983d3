import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Policy, noPolicy } from '../../../contract/policy'
import { settingName, type SettingName, type Settings } from '../../../contract/settings'
import { Emitter } from '../../emitter'
import { CausewayError } from '../../errors'
import { reasonOf } from '../storage/file-system-error'
import { createJsonFile, type StoredOptions } from '../storage/json-file'
import { whileAnswering } from '../storage/while-answering'
import type { SystemSwitch } from './system-switch'
import { checkedName, settingsFile, withSetting } from './settings'

/** Drops the settings of another version. */
const knownSettings = settingsFile.strip()

/** Values of some settings, such as from options. */
type GivenSettings = { readonly [Name in SettingName]?: Settings[Name] | undefined }

export interface SettingsStore {
  /**
   * Returns the settings in effect. For root they name no program that another user chose. `given`: the values that replace them for this run. Throws `settings/managed` if the
   * computer's policy sets another value for one of them.
   */
  all(given?: GivenSettings): Promise<Settings>
  /** Throws `settings/unknown`. */
  get(name: string): Promise<Settings[SettingName]>
  /**
   * Returns the setting `language` for messages, also those about a damaged file: `system` if it can't be read. Changes and
   * reports nothing, and never throws.
   */
  language(): Promise<Settings['language']>
  /** Returns the names of the settings that the computer's policy sets. */
  managed(): Promise<SettingName[]>
  /**
   * Sets a value given as text. Throws `settings/unknown`, `settings/invalid-value`, `settings/managed`, and the errors of
   * SystemSwitch.
   */
  set(name: string, text: string): Promise<void>
  /** Calls back with all settings after each change made here; returns a function that stops it. */
  onChange(listener: (settings: Settings) => void): () => void
}

/** Returns true if root uses the settings of another user, whose programs it must not run: `sudo causeway`. */
async function namesProgramsOfAnother(folder: string): Promise<boolean> {
  if (process.geteuid?.() !== 0) return false
  const file = join(folder, 'settings.json')
  const found = await whileAnswering(file, () =>
    Promise.all(
      [folder, file].map((path) =>
        stat(path).catch((error: unknown) => {
          // Nothing is stored there yet. After any other error the settings can't be read either.
          if (reasonOf(error) === 'ENOENT') return undefined
          throw error
        }),
      ),
    ),
  )
  return found.some((each) => each !== undefined && each.uid !== 0)
}

/**
 * Stores the settings in `settings.json` in the data directory. Each call reads the file, because the app and the terminal
 * command share it. All methods also throw `data/unreadable`, `data/unwritable` and `policy/unusable`.
 */
export function createSettingsStore(
  options: StoredOptions & {
    /** The system's state takes precedence over the stored value, which is used where the system's state is unknown. */
    readonly startAtLogin?: SystemSwitch
    /** The computer's policy, whose values take precedence; default: none. */
    readonly policy?: () => Promise<Policy>
  },
): SettingsStore {
  const { dataDirectory, now, reporter, startAtLogin } = options
  const policy = options.policy ?? (() => Promise.resolve(noPolicy))
  const file = createJsonFile({
    path: join(dataDirectory, 'settings.json'),
    schema: settingsFile,
    version: 1,
    empty: settingsFile.parse({}),
    now,
    reporter,
  })
  const changes = new Emitter<Settings>()

  /** Returns the settings in effect: with the system's state, and those that the policy sets. */
  async function inEffect(stored: Promise<Settings>): Promise<Settings> {
    // In parallel: the window is waiting.
    const [known, isOn, { settings }, names] = await Promise.all([
      stored,
      startAtLogin?.isOn(),
      policy(),
      namesProgramsOfAnother(dataDirectory),
    ])
    return {
      ...knownSettings.parse(known),
      ...(names ? { openvpnPath: '' } : {}),
      ...(isOn === undefined ? {} : { startAtLogin: isOn }),
      ...settings,
    }
  }

  return {
    all: async (given = {}) => {
      const [{ settings }, current] = await Promise.all([policy(), inEffect(file.read())])
      for (const name of settingName.options) {
        if (given[name] !== undefined && settings[name] !== undefined && given[name] !== settings[name])
          throw new CausewayError('settings/managed', { details: { name } })
      }
      return {
        ...current,
        ...(Object.fromEntries(
          Object.entries<unknown>(given).filter(([, value]) => value !== undefined),
        ) as Partial<Settings>),
      }
    },
    get: async (name) => {
      const known = checkedName(name)
      return (await inEffect(file.read()))[known]
    },
    language: async () => {
      const { settings } = await policy().catch(() => noPolicy)
      return settings.language ?? (await file.peek())?.language ?? 'system'
    },
    managed: async () => {
      const { settings } = await policy()
      return settingName.options.filter((name) => settings[name] !== undefined)
    },
    set: async (name, text) => {
      const known = checkedName(name)
      if ((await policy()).settings[known] !== undefined) {
        throw new CausewayError('settings/managed', { details: { name: known } })
      }
      if (known === 'startAtLogin') {
        await startAtLogin?.set(withSetting(await file.read(), known, text)[known])
      }
      const updated = await file.update((current) => withSetting(current, known, text))
      const settings = await inEffect(Promise.resolve(updated))
      changes.emit(settings)
    },
    onChange: (listener) => changes.on(listener),
  }
}
