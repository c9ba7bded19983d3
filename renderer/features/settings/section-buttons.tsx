import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './settings.module.css'
import { sectionNames, type SectionName } from './settings-section'

/** The sections of the settings, to choose one. */
export function SectionButtons({
  shown,
  onChoose,
}: {
  readonly shown: SectionName
  readonly onChoose: (name: SectionName) => void
}): ReactNode {
  const { t } = useTranslation()
  const titles: Readonly<Record<SectionName, string>> = {
    general: t('settings.general'),
    connection: t('settings.connection'),
    instances: t('settings.instances'),
    lists: t('directory.setting.label'),
    support: t('settings.support'),
    about: t('settings.about.title'),
  }
  return (
    <ul aria-label={t('settings.sections')} className={styles.sections}>
      {sectionNames.map((name) => (
        <li key={name}>
          <Button
            variant="default"
            size="compact-md"
            className={styles.section ?? ''}
            aria-current={name === shown ? 'page' : undefined}
            onClick={() => {
              onChoose(name)
            }}
          >
            {titles[name]}
          </Button>
        </li>
      ))}
    </ul>
  )
}
