import { IconCloudOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './news.module.css'

/** Says that what is shown is old, and how old. */
export function AsOf({ seenAt }: { readonly seenAt: number }): ReactNode {
  const { t, i18n } = useTranslation()
  const time = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })
  return (
    <p className={styles.asOf}>
      <IconCloudOff size={16} aria-hidden />
      {t('news.asOf', { time: time.format(seenAt) })}
    </p>
  )
}
