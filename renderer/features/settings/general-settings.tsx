import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../../contract/locales/languages'
import { useAppState, useCommand } from '../../store/context'
import { Choice } from '../../ui/choice'
import { ErrorNote } from '../../ui/error-note'
import { SettingSwitch, useManaged } from './setting-switch'
import { SettingsSection } from './settings-section'

/** Settings of appearance, language and background operation. */
export function GeneralSettings(): ReactNode {
  const { t } = useTranslation()
  const { settings, update } = useAppState()
  const managed = useManaged()
  const setSetting = useCommand('setSetting')
  return (
    <SettingsSection name="general" title={t('settings.general')}>
      <Choice
        label={t('settings.language')}
        description={managed('language') ?? t('settings.languageText')}
        disabled={managed('language') !== undefined}
        value={settings.language}
        onChoose={(value) => void setSetting.run({ name: 'language', value })}
        options={languageChoices(settings.language, t('settings.languageSystem'))}
      />
      <Choice
        label={t('settings.theme')}
        description={managed('theme') ?? t('settings.themeText')}
        disabled={managed('theme') !== undefined}
        value={settings.theme}
        onChoose={(value) => void setSetting.run({ name: 'theme', value })}
        options={[
          { value: 'system', label: t('settings.themeSystem') },
          { value: 'light', label: t('settings.themeLight') },
          { value: 'dark', label: t('settings.themeDark') },
        ]}
      />
      {setSetting.error && <ErrorNote error={setSetting.error} />}
      <SettingSwitch name="notifications" />
      <SettingSwitch name="closeToTray" />
      <SettingSwitch name="startAtLogin" />
      <SettingSwitch name="updates" missing={update.configured ? undefined : t('settings.updates.missing')} />
    </SettingsSection>
  )
}

/** Returns the languages of the window, plus the current one if the terminal command set another. */
function languageChoices(
  current: string,
  system: string,
): { readonly value: string; readonly label: string }[] {
  const choices = [
    { value: 'system', label: system },
    ...Object.entries(languageNames).map(([value, label]) => ({ value, label })),
  ]
  const known = choices.some(({ value }) => value === current)
  return known ? choices : [...choices, { value: current, label: current }]
}
