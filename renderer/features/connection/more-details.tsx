import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import page from '../../ui/page.module.css'
import styles from './connection.module.css'
import { OpenVpnLog } from './openvpn-log'
import { TrafficPanel } from './traffic-panel'

/** What only some want to see of a connection, and those always: open or closed as it was left. */
export function MoreDetails(): ReactNode {
  const { t, i18n } = useTranslation()
  const { connection, heldBy, instances, settings } = useAppState()
  const set = useCommand('setSetting')
  const [open, setOpen] = useState(settings.connectionDetails)
  const id = useId()
  if (connection.state === 'idle') return null
  const ends = instances.find((each) => each.id === connection.target.instanceId)?.ends
  return (
    <div className={styles.more}>
      <Button
        variant="subtle"
        className={page.textAtStart}
        leftSection={
          open ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />
        }
        aria-expanded={open}
        aria-controls={id}
        onClick={() => {
          setOpen(!open)
          void set.run({ name: 'connectionDetails', value: String(!open) })
        }}
      >
        {t('connection.details')}
      </Button>
      <div id={id} className={styles.moreContent} hidden={!open}>
        {open && (
          <>
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
          </>
        )}
      </div>
    </div>
  )
}
