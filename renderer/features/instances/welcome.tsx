import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import page from '../../ui/page.module.css'
import { Mark } from '../connection/mark'
import { AddInstance } from './add-instance'
import styles from './instances.module.css'

/**
 * First screen: what Causeway is, the address field, and what happens next. The address field has the focus at once.
 */
export function Welcome(): ReactNode {
  const { t } = useTranslation()
  const { organizationSearch } = useAppState()
  const titleId = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Don't move a focus that is elsewhere, such as after a change of view. Keep the title in view.
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [])
  return (
    // Screen readers announce the title when the focus enters the section.
    <section className={page.card} aria-labelledby={titleId}>
      <div className={styles.welcome}>
        <Mark tone="off" />
        <div>
          <h1 id={titleId}>{t('instance.welcomeTitle')}</h1>
          <p className={page.quiet}>{t('instance.welcomeWhat')}</p>
        </div>
      </div>
      <p>{t(organizationSearch.available ? 'directory.welcome' : 'instance.welcomeText')}</p>
      <AddInstance field={field} />
      <div className={styles.next}>
        <h2>{t('instance.nextTitle')}</h2>
        <ol aria-label={t('instance.nextTitle')}>
          <li>{t('instance.nextBrowser')}</li>
          <li>{t('instance.nextProfiles')}</li>
        </ol>
      </div>
    </section>
  )
}
