import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../store/context'
import styles from './error-note.module.css'

/** Beside an error: one click to have what support asks for. What comes of it is said apart from the error's own words. */
export function CopyForSupport(): ReactNode {
  const { t } = useTranslation()
  const copy = useCommand('copySupportReport')
  const [copied, setCopied] = useState(false)
  return (
    <div className={styles.support}>
      <span aria-live="polite">
        {copied && t('connection.copied')}
        {copy.error && t(`errors.${copy.error.code}.what`)}
      </span>
      <Button
        variant="transparent"
        size="compact-xs"
        className={styles.copy}
        loading={copy.pending}
        onClick={() => {
          setCopied(false)
          void copy.run().then(({ ok }) => {
            setCopied(ok)
          })
        }}
      >
        {t('settings.supportCopy')}
      </Button>
    </div>
  )
}
