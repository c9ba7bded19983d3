import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../store/context'
import { ErrorNote } from './error-note'

/** Copies the support report; main writes it to the clipboard. */
export function SupportReport(): ReactNode {
  const { t } = useTranslation()
  const copy = useCommand('copySupportReport')
  const [copied, setCopied] = useState(false)
  return (
    <>
      <div>
        <Button
          variant="default"
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
        {/* Not a paragraph: screen readers stop at an empty one. */}
        <div aria-live="polite">{copied && t('settings.supportCopied')}</div>
      </div>
      {copy.error && <ErrorNote error={copy.error} support={false} />}
    </>
  )
}
