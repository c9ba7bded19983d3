import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ErrorReport } from '../../contract/error-codes'
import { useServiceName } from '../store/profile-name'
import styles from './error-note.module.css'

/** Times and durations of an error: when a login expires, by how much a clock is wrong. */
export function ErrorFigures({ error: { code, details } }: { readonly error: ErrorReport }): ReactNode {
  const { t, i18n } = useTranslation()
  const { instance: id, endsAt, aheadSeconds } = details ?? {}
  const instance = useServiceName(typeof id === 'string' ? id : undefined)
  if (instance === '') return null
  if (typeof endsAt === 'string' && !Number.isNaN(Date.parse(endsAt))) {
    const format = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeStyle: 'short' })
    const time = format.format(new Date(endsAt))
    const text =
      code === 'session/over' ? t('error.endedAt', { instance, time }) : t('error.endsAt', { instance, time })
    return <p className={styles.fact}>{text}</p>
  }
  if (typeof aheadSeconds !== 'number') return null
  const by = durationText(Math.abs(aheadSeconds), i18n.language)
  const text =
    aheadSeconds > 0 ? t('error.clockAhead', { instance, by }) : t('error.clockBehind', { instance, by })
  return <p className={styles.fact}>{text}</p>
}

/** Formats a duration in the largest unit that has at least two of it, such as `90 minutes`. */
function durationText(seconds: number, language: string): string {
  const inUnit = (value: number, unit: 'second' | 'minute' | 'hour' | 'day'): string =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.round(value))
  if (seconds < 119.5) return inUnit(seconds, 'second')
  const minutes = seconds / 60
  if (minutes < 119.5) return inUnit(minutes, 'minute')
  return minutes < 47.5 * 60 ? inUnit(minutes / 60, 'hour') : inUnit(minutes / 60 / 24, 'day')
}
