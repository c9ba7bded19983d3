import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFirstSignIn } from '../instances/first-sign-in'
import { ServiceList } from '../instances/service-list'
import { Welcome } from '../instances/welcome'
import { useAppState } from '../../store/context'
import { Stage } from './stage'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import styles from './connection.module.css'
import { loadedLater } from '../../ui/loaded-later'

const MoreDetails = loadedLater(async () => (await import('./more-details')).MoreDetails)

/** The first view: the connection, and the profiles of all services to connect with. */
export function ConnectionView(): ReactNode {
  const { t } = useTranslation()
  const { instances, killSwitch } = useAppState()
  const { asks, waiting, problem, setBusy, logIn } = useFirstSignIn()
  // Without a network, the question has no answer: the stage offers to allow traffic first.
  const isBlocked = instances.length === 0 && killSwitch.blocks
  if (asks && waiting === undefined && !isBlocked)
    return (
      <div className={page.column}>
        <Welcome onBusy={setBusy} onAdded={logIn} />
      </div>
    )
  return (
    <>
      <VisuallyHidden>
        <h1>{t('connection.title')}</h1>
      </VisuallyHidden>
      <Stage first={waiting} />
      {/* Side by side in a wide window. */}
      <div className={styles.below}>
        {waiting === undefined ? (
          <>
            <MoreDetails />
            <ServiceList />
          </>
        ) : (
          problem && <ErrorNote error={problem} />
        )}
      </div>
    </>
  )
}
