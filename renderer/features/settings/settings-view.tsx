import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '../../i18n/languages'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { ConnectionSettings } from './connection-settings'
import { InstanceList } from './instance-list'
import { SupportReport } from './support-report'

export function SettingsView(): ReactNode {
  const { t } = useTranslation()
  const { settings } = useAppState()
  const setSetting = useCommand('setSetting')
  return (
    <>
      <h1>{t('settings.title')}</h1>
      <section className={page.card}>
        <NativeSelect
          label={t('settings.language')}
          size="md"
          value={settings.language}
          onChange={(event) => {
            void setSetting.run({ name: 'language', value: event.currentTarget.value })
          }}
          data={languageChoices(settings.language, t('settings.languageSystem'))}
        />
        <NativeSelect
          label={t('settings.theme')}
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
      </section>
      <ConnectionSettings />
      <InstanceList />
      <SupportReport />
    </>
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
