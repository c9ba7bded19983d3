import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommandInput } from '../../../contract/commands'
import type { SettingName, Settings } from '../../../contract/settings'
import { useAppState, useCommand } from '../../store/context'
import { Choice } from '../../ui/choice'
import { ErrorNote } from '../../ui/error-note'
import styles from './settings.module.css'

/** Opening the connection's details is saved where they are, not in the settings. */
type SwitchName = Exclude<
  { [Name in SettingName]: Settings[Name] extends boolean ? Name : never }[SettingName],
  'connectionDetails'
>

/**
 * Switch for a setting. Shows the saved value, so it doesn't move if saving fails. `missing`: why it can't be turned
 * on.
 */
export function SettingSwitch({
  name,
  missing,
}: {
  readonly name: SwitchName
  readonly missing?: string | undefined
}): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const managed = useManaged()(name)
  const setSetting = useCommand('setSetting')
  const on = settings[name]
  const label = t(`settings.${name}.label`)
  const text = t(`settings.${name}.text`)
  return (
    <div>
      <Switch
        label={label}
        // Mantine's label includes the description, which would be read twice.
        aria-label={label}
        description={
          <>
            {text}
            {(managed ?? missing) !== undefined && (
              <span className={styles.missing}>{managed ?? missing}</span>
            )}
          </>
        }
        checked={on}
        disabled={managed !== undefined || setSetting.pending || (missing !== undefined && !on)}
        onChange={(event) => void setSetting.run({ name, value: String(event.currentTarget.checked) })}
      />
      {setSetting.error && <ErrorNote error={setSetting.error} />}
    </div>
  )
}

/** Drop-down list for a setting. */
export function SettingChoice({
  name,
  label,
  text,
  options,
}: {
  readonly name: CommandInput<'setSetting'>['name']
  readonly label: string
  readonly text: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
}): ReactNode {
  const { settings } = useAppState()
  const managed = useManaged()(name)
  const setSetting = useCommand('setSetting')
  return (
    <>
      <Choice
        label={label}
        description={managed ?? text}
        disabled={managed !== undefined}
        value={String(settings[name])}
        onChoose={(value) => void setSetting.run({ name, value })}
        options={options}
      />
      {setSetting.error && <ErrorNote error={setSetting.error} />}
    </>
  )
}

/** Returns a function that tells that the computer's administrator has set a setting; undefined if the user may change it. */
export function useManaged(): (name: SettingName) => string | undefined {
  const { t } = useTranslation()
  const { managedSettings } = useAppState()
  return (name) => (managedSettings.includes(name) ? t('settings.managed') : undefined)
}
