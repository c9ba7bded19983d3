import { join } from 'node:path'
import type { SettingName, Settings } from '../../../contract/settings'
import { Emitter } from '../../emitter'
import { createJsonFile } from '../storage/json-file'
import type { SystemSwitch } from './system-switch'
import { checkedName, settingsFile, withSetting } from './settings'

/** Leaves out those of another Causeway. */
const knownSettings = settingsFile.strip()

export interface SettingsStore {
  all(): Promise<Settings>
  /** Throws `settings/unknown`. */
  get(name: string): Promise<Settings[SettingName]>
  /** Sets a value given as text. Throws `settings/unknown`, `settings/invalid-value`, and what a SystemSwitch throws. */
  set(name: string, text: string): Promise<void>
  /** Calls back with all settings after each change made here; returns how to stop it. */
  onChange(listener: (settings: Settings) => void): () => void
}

/**
 * The settings in `settings.json` under the data directory. Each call reads the file, because the app and the
 * terminal command share it. Besides what is named at each method, all throw `data/unreadable` and `data/unwritable`.
 */
export function createSettingsStore(options: {
  readonly dataDirectory: string
  readonly now: () => Date
  /** Told where a damaged settings.json was moved to. */
  readonly onDamaged?: (movedTo: string) => void
  /** What it says counts, not what was last set here; that is kept for where it cannot say. */
  readonly startAtLogin?: SystemSwitch
}): SettingsStore {
  const { dataDirectory, now, onDamaged, startAtLogin } = options
  const file = createJsonFile({
    path: join(dataDirectory, 'settings.json'),
    schema: settingsFile,
    version: 1,
    empty: settingsFile.parse({}),
    now,
    ...(onDamaged === undefined ? {} : { onDamaged }),
  })
  const changes = new Emitter<Settings>()

  async function withSystem(stored: Settings): Promise<Settings> {
    const settings = knownSettings.parse(stored)
    const isOn = await startAtLogin?.isOn()
    return isOn === undefined ? settings : { ...settings, startAtLogin: isOn }
  }

  return {
    all: async () => withSystem(await file.read()),
    get: async (name) => {
      const known = checkedName(name)
      return (await withSystem(await file.read()))[known]
    },
    set: async (name, text) => {
      const known = checkedName(name)
      if (known === 'startAtLogin') {
        await startAtLogin?.set(withSetting(await file.read(), known, text)[known])
      }
      const settings = await withSystem(await file.update((current) => withSetting(current, known, text)))
      changes.emit(settings)
    },
    onChange: (listener) => changes.on(listener),
  }
}
