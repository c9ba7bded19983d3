import { VisuallyHidden } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppState } from '../../store/context'
import { ServiceList } from '../instances/service-list'
import { Welcome } from '../instances/welcome'
import { Stage } from './stage'
import page from '../../ui/page.module.css'
import styles from './connection.module.css'
import { loadedLater } from '../../ui/loaded-later'

const MoreDetails = loadedLater(async () => (await import('./more-details')).MoreDetails)

/** The first view: the connection, and the profiles of all services to connect with. */
export function ConnectionView(): ReactNode {
  const { t } = useTranslation()
  const { instances } = useAppState()
  const [isFirst, setFirst] = useState(false)
  const [only] = instances
  // The first screen stays until the person has signed in to the first service.
  if (only === undefined || (isFirst && instances.length === 1))
    return (
      <div className={page.column}>
        <Welcome waiting={only?.login === 'waiting-for-browser' ? only : undefined} onBusy={setFirst} />
      </div>
    )
  return (
    <>
      <VisuallyHidden>
        <h1>{t('connection.title')}</h1>
      </VisuallyHidden>
      <Stage />
      {/* Side by side in a wide window. */}
      <div className={styles.below}>
        <MoreDetails />
        <ServiceList />
      </div>
    </>
  )
}
