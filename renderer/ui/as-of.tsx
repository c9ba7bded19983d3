import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './as-of.module.css'

/** Says that a service can't be reached and when its data was fetched (`seenAt`, ms since the epoch). */
export function AsOf({
  service,
  seenAt,
}: {
  /** The instance or host that can't be reached. */
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
