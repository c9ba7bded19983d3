import { useEffect, useId, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import page from '../../ui/page.module.css'
import { Mark } from '../connection/mark'
import { AddInstance } from './add-instance'
import styles from './instances.module.css'

/**
 * The first screen that anybody sees: what Causeway is, the one thing to do, and what happens then. Who has just started
 * Causeway can type the address at once.
 */
export function Welcome(): ReactNode {
  const { t } = useTranslation()
  const titleId = useId()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // Who is elsewhere already, or comes from another view, goes on from there. The title stays in sight.
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }, [])
  return (
    // With its name: a screen reader reads the title when the keyboard comes to the field in it.
    <section className={page.card} aria-labelledby={titleId}>
      <div className={styles.welcome}>
        <Mark tone="off" />
        <div>
          <h1 id={titleId}>{t('instance.welcomeTitle')}</h1>
          <p className={page.quiet}>{t('instance.welcomeWhat')}</p>
        </div>
      </div>
      <p>{t('instance.welcomeText')}</p>
      <AddInstance field={field} />
      <div className={styles.next}>
        <h2>{t('instance.nextTitle')}</h2>
        <ol>
          <li>{t('instance.nextBrowser')}</li>
          <li>{t('instance.nextProfiles')}</li>
        </ol>
      </div>
    </section>
  )
}
