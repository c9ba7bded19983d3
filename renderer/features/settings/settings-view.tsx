import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionSettings } from './connection-settings'
import { GeneralSettings } from './general-settings'
import { InstanceList } from './instance-list'
import { Support } from './support'

/** Everything that can be set; each change is saved at once. */
export function SettingsView(): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t('settings.title')}</h1>
      <GeneralSettings />
      <ConnectionSettings />
      <InstanceList />
      <Support />
    </>
  )
}
