import { Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SettingName, Settings } from '../../../contract/settings'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './settings.module.css'

/** The details of the connection are opened where they are. */
type SwitchName = Exclude<
  { [Name in SettingName]: Settings[Name] extends boolean ? Name : never }[SettingName],
  'connectionDetails'
>

/**
 * A setting that is on or off, and what it does. It shows what main has saved: where that fails, it stays where it was.
 * `missing`: why it cannot be turned on here.
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
  const setSetting = useCommand('setSetting')
  const on = settings[name]
  const label = t(`settings.${name}.label`)
  const text = t(`settings.${name}.text`)
  return (
    <div>
      <Switch
        size="md"
        label={label}
        // Mantine's label holds the description as well, which would be read aloud twice.
        aria-label={label}
        description={
          <>
            {text}
            {missing !== undefined && <span className={styles.missing}>{missing}</span>}
          </>
        }
        checked={on}
        disabled={setSetting.pending || (missing !== undefined && !on)}
        onChange={(event) => {
          void setSetting.run({ name, value: String(event.currentTarget.checked) })
        }}
      />
      {setSetting.error && <ErrorNote error={setSetting.error} />}
    </div>
  )
}
