import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { bytesText } from '../attachments/amounts'
import styles from './connection.module.css'
import { rateText } from './rate-text'
import { LineSample, TrafficChart } from './traffic-chart'
import { currentRate, useTraffic } from './use-traffic'

/** Traffic through the tunnel. Main counts it only while the panel is visible. */
export function TrafficPanel(): ReactNode {
  const { t, i18n } = useTranslation()
  const traffic = useTraffic()
  if (traffic === undefined) return null
  const { at, totals, points } = traffic
  if (totals === undefined && points.length === 0) return null
  const now = currentRate(traffic)
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
