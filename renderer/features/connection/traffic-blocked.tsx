import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './connection.module.css'

/** The way out where the kill switch is up and there is no tunnel. */
export function TrafficBlocked(): ReactNode {
  const { t } = useTranslation()
  const release = useCommand('releaseTraffic')
  return (
    <div className={styles.blocked}>
      <p>{t('connection.blockedHint')}</p>
      <Button
        variant="default"
        size="md"
        loading={release.pending}
        onClick={() => {
          void release.run()
        }}
      >
        {t('connection.allowTraffic')}
      </Button>
      {release.error && <ErrorNote error={release.error} />}
    </div>
  )
}
