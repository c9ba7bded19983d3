import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'

/** One click to have what support asks for; main puts it into the clipboard. */
export function SupportReport(): ReactNode {
  const { t } = useTranslation()
  const copy = useCommand('copySupportReport')
  const [copied, setCopied] = useState(false)
  return (
    <section className={page.card}>
      <h2>{t('settings.support')}</h2>
      <p className={page.quiet}>{t('settings.supportText')}</p>
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
      </div>
      <p aria-live="polite">{copied && t('settings.supportCopied')}</p>
      {copy.error && <ErrorNote error={copy.error} support={false} />}
    </section>
  )
}
