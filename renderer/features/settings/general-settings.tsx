import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../../contract/locales/languages'
import { useAppState } from '../../store/context'
import { SettingChoice, SettingSwitch } from './setting-switch'
import { SettingsSection } from './settings-section'

/** Settings of appearance, language and background operation. */
export function GeneralSettings(): ReactNode {
  const { t } = useTranslation()
  const { settings, update } = useAppState()
  return (
    <SettingsSection name="general" title={t('settings.general')}>
      <SettingChoice
        name="language"
        label={t('settings.language')}
        text={t('settings.languageText')}
        options={languageChoices(settings.language, t('settings.languageSystem'))}
      />
      <SettingChoice
        name="theme"
        label={t('settings.theme')}
        text={t('settings.themeText')}
        options={[
          { value: 'system', label: t('settings.themeSystem') },
          { value: 'light', label: t('settings.themeLight') },
          { value: 'dark', label: t('settings.themeDark') },
        ]}
      />
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
