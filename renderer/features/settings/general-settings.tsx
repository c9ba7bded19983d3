import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../../contract/locales/languages'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { SettingSwitch } from './setting-switch'

/** How Causeway looks and speaks, and how it is there. */
export function GeneralSettings(): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const setSetting = useCommand('setSetting')
  return (
    <section className={page.card}>
      <h2>{t('settings.general')}</h2>
      <NativeSelect
        label={t('settings.language')}
        description={t('settings.languageText')}
        size="md"
        value={settings.language}
        onChange={(event) => {
          void setSetting.run({ name: 'language', value: event.currentTarget.value })
        }}
        data={languageChoices(settings.language, t('settings.languageSystem'))}
      />
      <NativeSelect
        label={t('settings.theme')}
        description={t('settings.themeText')}
        size="md"
        value={settings.theme}
        onChange={(event) => {
          void setSetting.run({ name: 'theme', value: event.currentTarget.value })
        }}
        data={[
          { value: 'system', label: t('settings.themeSystem') },
          { value: 'light', label: t('settings.themeLight') },
          { value: 'dark', label: t('settings.themeDark') },
        ]}
      />
      {setSetting.error && <ErrorNote error={setSetting.error} />}
      <SettingSwitch name="notifications" />
      <SettingSwitch name="closeToTray" />
      <SettingSwitch name="startAtLogin" />
    </section>
  )
}

/** The languages of the window; and the one that is set, where the terminal command has set another. */
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
