import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './as-of.module.css'

/** Says that what an instance said is old, and since when it is known (ms since the epoch). */
export function AsOf({
  instanceId,
  seenAt,
}: {
  readonly instanceId: string
  readonly seenAt: number
}): ReactNode {
  const { t, i18n } = useTranslation()
  const times = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <p className={styles.asOf}>
      <IconCloudOff size={16} aria-hidden />
      {t('offline.asOf', { instance: instanceId, time: times.format(seenAt) })}
    </p>
  )
}
