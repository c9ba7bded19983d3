import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../store/context'
import { useErrorTexts } from './use-error-text'
import styles from './error-note.module.css'

/** Copies the support report beside an error. The result is announced separately from the error. */
export function CopyForSupport(): ReactNode {
  const { t } = useTranslation()
  const textOf = useErrorTexts()
  const copy = useCommand('copySupportReport')
  const [copied, setCopied] = useState(false)
  return (
    <div className={styles.support}>
      <span aria-live="polite">
        {copied && t('connection.copied')}
        {copy.error && textOf(copy.error).what}
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
        {t('connection.copyForHelpDesk')}
      </Button>
    </div>
  )
}
