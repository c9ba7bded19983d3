import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../store/context'
import { ErrorNote } from './error-note'
import styles from './page.module.css'
import { useView } from './use-view'

/** What went wrong before the window was there, until the user has read it. */
export function Notices(): ReactNode {
  const { t } = useTranslation()
  const { notices: all, connection } = useAppState()
  const view = useView()
  const dismiss = useCommand('dismissNotices')
  // The card of the connection says this for as long as it is so, with the way out.
  const told = view === 'connection' && connection.state === 'failed' ? connection.error.code : undefined
  const notices = all.filter(({ code }) => code !== 'helper/traffic-blocked' && code !== told)
  if (notices.length === 0) return null
  return (
    <section className={styles.notices} aria-label={t('notices.title')}>
      {notices.map((notice, index) => (
        <ErrorNote key={index} error={notice} tone="notice" />
      ))}
      {dismiss.error && <ErrorNote error={dismiss.error} />}
      <Button
        variant="default"
        loading={dismiss.pending}
        onClick={() => {
          void dismiss.run()
        }}
      >
        {t('notices.dismiss')}
      </Button>
    </section>
  )
}
