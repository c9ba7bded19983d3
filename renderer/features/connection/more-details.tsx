import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { useDescriptionWith } from '../../store/use-description'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import styles from './connection.module.css'
import { ConnectionDetails } from './connection-details'
import { detailsId } from './stage-buttons'
import { OpenVpnLog } from './openvpn-log'
import { TrafficPanel } from './traffic-panel'
import { useHeldBy } from './use-held-by'

/** The technical side of a connection: addresses, server, DNS, traffic and log; open or closed as it was left. */
export function MoreDetails(): ReactNode {
  const { t, i18n } = useTranslation()
  const { connection, heldBy, instances, settings } = useAppState()
  const { sentences, values } = useDescriptionWith(undefined)
  const held = useHeldBy()
  if (connection.state === 'idle' || !settings.connectionDetails) return null
  const ends = instances.find((each) => each.id === connection.target.instanceId)?.ends
  return (
    <section id={detailsId} className={page.card} aria-label={t('connection.details')}>
      {connection.state === 'failed' && <ErrorNote error={connection.error} />}
      <p>{[...sentences.map((key) => t(key, values)), held].filter(Boolean).join(' ')}</p>
      {connection.state === 'connected' && <ConnectionDetails connection={connection} />}
      {(connection.state === 'connected' || connection.state === 'reconnecting') && <TrafficPanel />}
      {ends !== undefined && (
        <dl className={styles.details}>
          <div className={styles.wideFact}>
            <dt>{t('connection.detail.ends')}</dt>
            <dd>
              {new Intl.DateTimeFormat(i18n.language, {
                dateStyle: 'medium',
                timeStyle: 'short',
              }).format(ends.at)}
            </dd>
          </div>
        </dl>
      )}
      {/* Another process writes a log of its own. */}
      {heldBy === undefined && <OpenVpnLog />}
    </section>
  )
}
