import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSlice } from '../../../contract/state'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { formatDuration } from '../connection/duration'
import { useTimeAt } from '../connection/use-time-at'
import styles from './instances.module.css'

const second = 1000

/** A login in progress in the browser: opens the browser again, shows the time left, and cancels. */
export function BrowserWaiting({ instance }: { readonly instance: InstanceSlice }): ReactNode {
  const { t } = useTranslation()
  const { id: instanceId, browser } = instance
  const openAgain = useCommand('openLogInAgain')
  const copyLink = useCommand('copyLogInLink')
  const cancel = useCommand('cancelLogIn')
  const [copied, setCopied] = useState(false)
  return (
    <>
      <div className={styles.waiting}>
        <div className={styles.waitingText}>
          <p>{t('instance.waiting')}</p>
          {browser !== undefined && <TimeLeft until={browser.until} />}
        </div>
        <div className={styles.buttons}>
          {browser !== undefined && (
            <>
              <Button variant="default" onClick={() => void openAgain.run({ instanceId })}>
                {t('instance.openAgain')}
              </Button>
              <Button
                variant="default"
                onClick={() => {
                  setCopied(false)
                  void copyLink.run({ instanceId }).then(({ ok }) => {
                    setCopied(ok)
                  })
                }}
              >
                {t('instance.copyLink')}
              </Button>
            </>
          )}
          <Button variant="default" onClick={() => void cancel.run({ instanceId })}>
            {t('instance.cancel')}
          </Button>
        </div>
        <p aria-live="polite" className={page.quiet} hidden={!copied}>
          {copied ? t('connection.copied') : ''}
        </p>
      </div>
      {[openAgain.error, copyLink.error, cancel.error].map(
        (error, index) => error && <ErrorNote key={index} error={error} />,
      )}
    </>
  )
}

function TimeLeft({ until }: { readonly until: number }): ReactNode {
  const { t } = useTranslation()
  const now = useTimeAt((time) =>
    time < until ? until - (Math.ceil((until - time) / second) - 1) * second : undefined,
  )
  return <p className={page.quiet}>{t('instance.timeLeft', { time: formatDuration(until - now) })}</p>
}
