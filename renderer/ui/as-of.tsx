import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useServiceName } from '../store/profile-name'
import styles from './as-of.module.css'

/** Says that a service can't be reached and when its data was fetched (`cachedAt`, ms since the epoch). */
export function AsOf({
  service,
  cachedAt,
}: {
  /** The instance or host that can't be reached. */
  readonly service: string
  readonly cachedAt: number
}): ReactNode {
  const { t, i18n } = useTranslation()
  const name = useServiceName(service)
  return (
    <p className={styles.asOf} data-age>
      <IconCloudOff size={16} aria-hidden />
      {t('offline.asOf', { instance: name, time: timeText(cachedAt, i18n.language) })}
    </p>
  )
}

/** Formats a time, such as `14:08`, with the date unless it's today. */
function timeText(time: number, language: string): string {
  const isToday = new Date(time).toDateString() === new Date().toDateString()
  const date = isToday ? {} : ({ dateStyle: 'medium' } as const)
  return new Intl.DateTimeFormat(language, { ...date, timeStyle: 'short' }).format(time)
}
