import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Traffic } from '../../../contract/state'
import { areaPath, chartHeight, chartWidth, linePath, minutesShown, niceTop } from './chart-shape'
import styles from './connection.module.css'
import { rateText } from './rate-text'

/** Download and upload of the last minutes, five at most, as two lines that differ in more than colour. */
export function TrafficChart({ at, points }: Pick<Traffic, 'at' | 'points'>): ReactNode {
  const { t, i18n } = useTranslation()
  const minutes = minutesShown(points[0]?.at, at)
  const from = at - minutes * 60_000
  const visible = points.filter((point) => point.at >= from && point.at <= at)
  const down = visible.map((point) => ({ at: point.at, value: point.down }))
  const up = visible.map((point) => ({ at: point.at, value: point.up }))
  const highest = (samples: typeof down): number => Math.max(0, ...samples.map(({ value }) => value))
  const top = niceTop(Math.max(highest(down), highest(up)))
  const frame = { from, to: at, top }
  const ago = new Intl.RelativeTimeFormat(i18n.language, { numeric: 'auto', style: 'short' })
  return (
    // Time runs to the right in every language.
    <div className={styles.chart} dir="ltr">
      <svg
        role="img"
        aria-label={t('connection.traffic.summary', {
          down: rateText(highest(down), i18n.language),
          up: rateText(highest(up), i18n.language),
        })}
        viewBox={`0 -2 ${chartWidth} ${chartHeight + 4}`}
        preserveAspectRatio="none"
      >
        {[0, chartHeight / 2, chartHeight].map((y) => (
          <path key={y} className={styles.gridLine} d={`M0 ${y}H${chartWidth}`} />
        ))}
        <path className={styles.downArea} d={areaPath(down, frame)} />
        <path className={styles.downLine} d={linePath(down, frame)} />
        <path className={styles.upLine} d={linePath(up, frame)} />
      </svg>
      <p className={styles.scale} aria-hidden>
        <bdi>{rateText(top, i18n.language)}</bdi>
      </p>
      <p className={styles.times} aria-hidden>
        <span>{ago.format(-minutes, 'minute')}</span>
        <span>{ago.format(0, 'second')}</span>
      </p>
    </div>
  )
}

/** Sample of a line of the chart, for the legend. */
export function LineSample({ line }: { readonly line: 'down' | 'up' }): ReactNode {
  return (
    <svg className={styles.lineSample} viewBox="0 0 24 8" aria-hidden>
      <path className={line === 'down' ? styles.downLine : styles.upLine} d="M0 4H24" />
    </svg>
  )
}
