import {
  allowedValues,
  settingName,
  settingsSchema,
  valueOfText,
  type SettingName,
  type Settings,
} from '../../../contract/settings'
import { CausewayError } from '../../errors'
import { isLocalPath } from '../child-process/is-program'

/** What settings.json holds. A missing setting has its default; one of another Causeway is kept. */
export const settingsFile = settingsSchema.loose().extend({
  // A relative path would run a file of the working directory, a network share whatever its server sends.
  openvpnPath: settingsSchema.shape.openvpnPath.refine((path) => path === '' || isLocalPath(path)),
})

/** Throws `settings/unknown`, with the names there are in `details.names`. */
export function checkedName(name: string): SettingName {
  const checked = settingName.safeParse(name)
  if (checked.success) return checked.data
  const names = settingName.options
  throw new CausewayError(
    'settings/unknown',
    `This setting doesn't exist. The settings are ${names.join(', ')}.`,
    { details: { name: name.slice(0, 64), names } },
  )
}

/** The settings with this one changed. Throws `settings/invalid-value`, with `details.allowed`. */
export function withSetting<S extends Settings>(settings: S, name: SettingName, text: string): S {
  const parsed = settingsFile.shape[name].safeParse(valueOfText(name, text))
  if (parsed.success) return { ...settings, [name]: parsed.data }
  const allowed = allowedValues(name)
  throw new CausewayError(
    'settings/invalid-value',
    `This value isn't valid for the setting ${name}. Use ${allowed.join(', or ')}.`,
    { details: { name, allowed } },
  )
}
