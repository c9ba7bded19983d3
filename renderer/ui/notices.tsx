import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../store/context'
import { ErrorNote } from './error-note'
import styles from './page.module.css'
import { useView } from './use-view'

/** Problems from before the window opened, until the user dismisses them. */
export function Notices(): ReactNode {
  const { t } = useTranslation()
  const { notices: all, connection } = useAppState()
  const view = useView()
  const dismiss = useCommand('dismissNotices')
  // The connection card shows this problem itself while it lasts.
  const told = view === 'connection' && connection.state === 'failed' ? connection.error.code : undefined
  const notices = all.filter(({ code }) => code !== 'helper/traffic-blocked' && code !== told)
  if (notices.length === 0) return null
  return (
    <section className={styles.notices} aria-label={t('notices.title')}>
      {notices.map((notice, index) => (
        <ErrorNote key={index} error={notice} tone="notice" />
      ))}
      {dismiss.error && <ErrorNote error={dismiss.error} />}
      <Button variant="default" loading={dismiss.pending} onClick={() => void dismiss.run()}>
        {t('notices.dismiss')}
      </Button>
    </section>
  )
}
