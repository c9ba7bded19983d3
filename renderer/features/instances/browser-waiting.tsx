import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSlice } from '../../../contract/state'
import { CommandButton } from '../../ui/command-button'
import page from '../../ui/page.module.css'
import { formatDuration } from '../connection/duration'
import { useTimeAt } from '../../store/use-time-at'
import styles from './instances.module.css'

const second = 1000

/** A login in progress in the browser: opens the browser again, shows the time left, and cancels. */
export function BrowserWaiting({ instance }: { readonly instance: InstanceSlice }): ReactNode {
  const { t } = useTranslation()
  const { id: instanceId, browser } = instance
  return (
    <div className={styles.waiting}>
      <div className={styles.waitingText}>
        <p>{t('instance.waiting')}</p>
        {browser !== undefined && <TimeLeft until={browser.until} />}
      </div>
      <div className={page.buttons}>
        {browser !== undefined && (
          <>
            <CommandButton command="openLogInAgain" input={{ instanceId }}>
              {t('instance.openAgain')}
            </CommandButton>
            <CommandButton command="copyLogInLink" input={{ instanceId }} done={t('connection.copied')}>
              {t('instance.copyLink')}
            </CommandButton>
          </>
        )}
        <CommandButton command="cancelLogIn" input={{ instanceId }}>
          {t('instance.cancel')}
        </CommandButton>
      </div>
    </div>
  )
}

function TimeLeft({ until }: { readonly until: number }): ReactNode {
  const { t } = useTranslation()
  const now = useTimeAt((time) =>
    time < until ? until - (Math.ceil((until - time) / second) - 1) * second : undefined,
  )
  return <p className={page.quiet}>{t('instance.timeLeft', { time: formatDuration(until - now) })}</p>
}
