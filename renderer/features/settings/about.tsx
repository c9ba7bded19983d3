import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { productName, version } from '../../../package.json'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import styles from './settings.module.css'
import { SettingsSection } from './settings-section'

/** Lets the keyboard scroll a text once it is shown. */
function focusOn(element: HTMLElement | null): void {
  element?.focus()
}

/** The version, and on request the licences of the software in the package. */
export function About(): ReactNode {
  const { t } = useTranslation()
  const read = useCommand('readLicenses')
  const [licenses, setLicenses] = useState<{ readonly text?: string | undefined }>()
  return (
    <SettingsSection name="about" title={t('settings.about.title')}>
      <p dir="ltr" className={styles.version}>
        {[productName, version].join(' ')}
      </p>
      <p className={page.quiet}>{t('settings.about.text')}</p>
      {read.error && <ErrorNote error={read.error} />}
      {licenses === undefined ? (
        <div>
          <Button
            variant="default"
            loading={read.pending}
            onClick={() => {
              void read.run().then((result) => {
                if (result.ok) setLicenses(result.value)
              })
            }}
          >
            {t('settings.about.show')}
          </Button>
        </div>
      ) : licenses.text === undefined ? (
        <p role="status">{t('settings.about.missing')}</p>
      ) : (
        <pre
          role="region"
          aria-label={t('settings.about.licenses')}
          tabIndex={0}
          ref={focusOn}
          dir="ltr"
          className={styles.licenses}
        >
          {licenses.text}
        </pre>
      )}
    </SettingsSection>
  )
}
