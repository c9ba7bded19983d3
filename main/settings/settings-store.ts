import { join } from 'node:path'
import { createJsonFile } from './json-file'
import { settingName, settingsSchema, withSetting, type SettingName, type Settings } from './settings'

export interface SettingsStore {
  all(): Promise<Settings>
  /** Throws `settings/unknown`. */
  get(name: string): Promise<Settings[SettingName]>
  /** Sets a value given as text. Throws `settings/unknown`, `settings/invalid-value`. */
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
}): SettingsStore {
  const { dataDirectory, now, onDamaged } = options
  const file = createJsonFile({
    path: join(dataDirectory, 'settings.json'),
    schema: settingsSchema,
    version: 1,
    empty: settingsSchema.parse({}),
    now,
    ...(onDamaged === undefined ? {} : { onDamaged }),
  })
  const listeners = new Set<(settings: Settings) => void>()

  return {
    all: async () => onlyKnown(await file.read()),
    get: async (name) => {
      const known = settingName(name)
      return onlyKnown(await file.read())[known]
    },
    set: async (name, text) => {
      const known = settingName(name)
      const settings = onlyKnown(await file.update((current) => withSetting(current, known, text)))
      for (const listener of [...listeners]) listener(settings)
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Leaves out what another Causeway may keep in the same file. */
function onlyKnown({
  language,
  theme,
  remoteStrategy,
  preferTcp,
  reconnect,
  killSwitch,
  autoConnect,
  startAtLogin,
  openvpnPath,
}: Settings): Settings {
  return {
    language,
    theme,
    remoteStrategy,
    preferTcp,
    reconnect,
    killSwitch,
    autoConnect,
    startAtLogin,
    openvpnPath,
  }
}
