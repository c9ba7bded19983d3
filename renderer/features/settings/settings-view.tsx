import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { showPage, usePage } from '../../ui/use-view'
import { About } from './about'
import { AppsSettings } from './apps-settings'
import { ConnectionSettings } from './connection-settings'
import { GeneralSettings } from './general-settings'
import { InstanceList } from './instance-list'
import { ListSettings } from './list-settings'
import { SectionButtons } from './section-buttons'
import { headingId, sectionNames, type SectionName } from './settings-section'
import { Support } from './support'

const sections: Readonly<Record<SectionName, () => ReactNode>> = {
  general: GeneralSettings,
  connection: ConnectionSettings,
  apps: AppsSettings,
  instances: InstanceList,
  lists: ListSettings,
  support: Support,
  about: About,
}

/** The settings: one section at a time, each with its own address. Each change is saved at once. */
export function SettingsView(): ReactNode {
  const { t } = useTranslation()
  const page = usePage()
  const shown = sectionNames.find((name) => name === page) ?? 'general'
  const chosen = useRef(false)
  useEffect(() => {
    // Only after a choice: on arrival the focus is at the start of the view.
    if (chosen.current) document.getElementById(headingId(shown))?.focus()
    chosen.current = false
  }, [shown])
  const Section = sections[shown]
  return (
    <>
      <h1>{t('settings.title')}</h1>
      <SectionButtons
        current={shown}
        onChoose={(name) => {
          chosen.current = true
          showPage('settings', name)
        }}
      />
      <Section />
    </>
  )
}
