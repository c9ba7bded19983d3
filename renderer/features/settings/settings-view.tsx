import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { About } from './about'
import { ConnectionSettings } from './connection-settings'
import { GeneralSettings } from './general-settings'
import { InstanceList } from './instance-list'
import { ListSettings } from './list-settings'
import { SectionLinks } from './section-links'
import { Support } from './support'

/** All settings. Each change is saved at once. */
export function SettingsView(): ReactNode {
  const { t } = useTranslation()
  return (
    <>
      <h1>{t('settings.title')}</h1>
      <SectionLinks />
      <GeneralSettings />
      <ConnectionSettings />
      <InstanceList />
      <ListSettings />
      <Support />
      <About />
    </>
  )
}
