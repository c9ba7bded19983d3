import { englishTerminalTexts } from '../../../contract/locales/terminal-texts'
import {
  allowedValues,
  settingName,
  settingsSchema,
  valueOfText,
  type SettingName,
  type Settings,
} from '../../../contract/settings'
import { CausewayError } from '../../errors'
import { nearestName } from './nearest-name'
import { isLocalPath } from '../child-process/is-program'

/** The content of settings.json. Missing settings get their defaults; unknown settings are kept. */
export const settingsFile = settingsSchema.loose().extend({
  // A relative path would run a file of the working directory, and a network share any file that its server
  // sends.
  openvpnPath: settingsSchema.shape.openvpnPath.refine((path) => path === '' || isLocalPath(path)),
})

/** Checks the name of a setting. Throws `settings/unknown`, with all names in `details.names`. */
export function checkedName(name: string): SettingName {
  const checked = settingName.safeParse(name)
  if (checked.success) return checked.data
  const names = settingName.options
  const near = nearestName(name, names)
  throw new CausewayError('settings/unknown', {
    variant: near === undefined ? undefined : 'near',
    details: { name: name.slice(0, 64), names, near },
  })
}

/** Returns the settings with one changed. Throws `settings/invalid-value`, with `details.allowed` in English. */
export function withSetting<S extends Settings>(settings: S, name: SettingName, text: string): S {
  const parsed = settingsFile.shape[name].safeParse(valueOfText(name, text))
  if (parsed.success) return { ...settings, [name]: parsed.data }
  throw new CausewayError('settings/invalid-value', { details: { name, allowed: englishValues(name) } })
}

/** Returns the values of a setting, in English where they are described. */
export function englishValues(name: SettingName): readonly string[] {
  return allowedValues(name, (as) => englishTerminalTexts.terminal.settings.allowed[as])
}
