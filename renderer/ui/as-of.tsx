import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './as-of.module.css'

/** Says that what a service said is old, and since when it is known (ms since the epoch). */
export function AsOf({
  service,
  seenAt,
}: {
  /** The instance, or the host, that cannot be reached. */
  readonly service: string
  readonly seenAt: number
}): ReactNode {
  const { t, i18n } = useTranslation()
  const times = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <p className={styles.asOf}>
      <IconCloudOff size={16} aria-hidden />
      {t('offline.asOf', { instance: service, time: times.format(seenAt) })}
    </p>
  )
}
