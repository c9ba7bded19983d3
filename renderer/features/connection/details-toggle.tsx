import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState, useCommand } from '../../store/context'
import { CommandButton } from '../../ui/command-button'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import styles from './connection.module.css'
import { rateText } from './rate-text'
import { Duration } from './duration-since'
import { currentRate, useTraffic } from './use-traffic'

/** The id of the details' element, for the button that opens them. */
export const detailsId = 'connection-details'

/** The line under the state: how long, how fast, or the next attempt to reconnect, and the way to the details. */
export function DetailsToggle(): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy, settings } = useAppState()
  const set = useCommand('setSetting')
  if (connection.state === 'idle') return null
  const open = settings.connectionDetails
  return (
    <div className={styles.line}>
      {connection.state === 'connected' && (
        <p className={styles.figures}>
          <Duration since={connection.since} />
          <Rates />
        </p>
      )}
      {connection.state === 'reconnecting' && heldBy === undefined && (
        <CommandButton command="retryNow" input={undefined} variant="filled">
          {t('connection.retryNow')}
        </CommandButton>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        className={page.textAtEnd}
        rightSection={
          open ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />
        }
        aria-expanded={open}
        aria-controls={detailsId}
        onClick={() => void set.run({ name: 'connectionDetails', value: String(!open) })}
      >
        {t('connection.details')}
      </Button>
      {set.error && <ErrorNote error={set.error} />}
    </div>
  )
}

/** The download and upload of this second; nothing where nobody counts them. */
function Rates(): ReactNode {
  const { t, i18n } = useTranslation()
  const rate = currentRate(useTraffic())
  if (rate === undefined) return null
  return (['down', 'up'] as const).map((line) => {
    const text = rateText(rate[line], i18n.language)
    return (
      <span key={line}>
        <span aria-hidden>{line === 'down' ? '↓ ' : '↑ '}</span>
        <span aria-label={`${t(`connection.traffic.${line}`)}: ${text}`} role="img">
          {text}
        </span>
      </span>
    )
  })
}
