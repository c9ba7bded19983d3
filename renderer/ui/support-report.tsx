import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../store/context'
import { ErrorNote } from './error-note'

/** One click to have what support asks for; main puts it into the clipboard. */
export function SupportReport(): ReactNode {
  const { t } = useTranslation()
  const copy = useCommand('copySupportReport')
  const [copied, setCopied] = useState(false)
  return (
    <>
      <div>
        <Button
          variant="default"
          size="md"
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
        <p aria-live="polite">{copied && t('settings.supportCopied')}</p>
      </div>
      {copy.error && <ErrorNote error={copy.error} support={false} />}
    </>
  )
}
