import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Traffic } from '../../../contract/state'
import { useBridge } from '../../store/context'
import { bytesText } from '../attachments/amounts'
import styles from './connection.module.css'
import { rateText } from './rate-text'
import { LineSample, TrafficChart } from './traffic-chart'
import { useWhileShown } from './use-while-shown'

/** A rate that is older than this, in milliseconds, is not the one of now. */
const freshMs = 3000

/** How much goes through the tunnel, which main reads while this is shown; nothing where nobody counts it. */
export function TrafficPanel(): ReactNode {
  const { t, i18n } = useTranslation()
  const bridge = useBridge()
  const [traffic, setTraffic] = useState<Traffic>()
  useWhileShown(() => {
    const stop = bridge.onConnectionNews((news) => {
      if (news.traffic !== undefined) setTraffic(news.traffic)
    })
    void bridge.run('watchTraffic', { wanted: true })
    return () => {
      stop()
      void bridge.run('watchTraffic', { wanted: false })
    }
  })
  if (traffic === undefined) return null
  const { at, totals, points } = traffic
  if (totals === undefined && points.length === 0) return null
  const last = points.at(-1)
  const now = last !== undefined && at - last.at <= freshMs ? last : undefined
  const amount = (bytes: number): string => bytesText(bytes, i18n.language)
  return (
    <section className={styles.panel} aria-label={t('connection.traffic.title')}>
      <div className={styles.rates}>
        {(['down', 'up'] as const).map((line) => (
          <div key={line}>
            <p className={styles.rateName}>
              <LineSample line={line} />
              {t(`connection.traffic.${line}`)}
            </p>
            <p className={styles.rateValue}>{now === undefined ? '–' : rateText(now[line], i18n.language)}</p>
            {totals !== undefined && (
              <p className={styles.rateTotal}>
                {line === 'down'
                  ? t('connection.traffic.received', { amount: amount(totals.received) })
                  : t('connection.traffic.sent', { amount: amount(totals.sent) })}
              </p>
            )}
          </div>
        ))}
      </div>
      <TrafficChart at={at} points={points} />
    </section>
  )
}
