import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../store/context'
import { CommandButton } from './command-button'
import { ErrorNote } from './error-note'
import styles from './page.module.css'
import { useView } from './use-view'

/** Problems from before the window opened, until the user dismisses them. */
export function Notices(): ReactNode {
  const { t } = useTranslation()
  const { notices: all, connection } = useAppState()
  const view = useView()
  // The connection card shows this problem itself while it lasts.
  const shownByCard =
    view === 'connection' && connection.state === 'failed' ? connection.error.code : undefined
  const notices = all.filter(({ code }) => code !== 'helper/traffic-blocked' && code !== shownByCard)
  if (notices.length === 0) return null
  return (
    <section className={styles.notices} aria-label={t('notices.title')}>
      {notices.map((notice, index) => (
        <ErrorNote key={index} error={notice} tone="notice" />
      ))}
      <CommandButton command="dismissNotices" input={undefined}>
        {t('notices.dismiss')}
      </CommandButton>
    </section>
  )
}
