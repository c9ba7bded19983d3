import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import page from './page.module.css'

/** Says how many records of a list couldn't be parsed; nothing if there are none. */
export function Unreadable({ count }: { readonly count: number }): ReactNode {
  const { t } = useTranslation()
  return count > 0 && <p className={page.quiet}>{t('error.unreadable', { count })}</p>
}
