import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import page from '../../ui/page.module.css'
import { Mark } from '../connection/mark'
import { AddInstance } from './add-instance'
import styles from './instances.module.css'

/** The first screen that anybody sees: what Causeway is, the one thing to do, and what happens then. */
export function Welcome(): ReactNode {
  const { t } = useTranslation()
  return (
    <section className={page.card}>
      <div className={styles.welcome}>
        <Mark tone="off" />
        <div>
          <h1>{t('instance.welcomeTitle')}</h1>
          <p className={page.quiet}>{t('instance.welcomeWhat')}</p>
        </div>
      </div>
      <p>{t('instance.welcomeText')}</p>
      <AddInstance />
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
