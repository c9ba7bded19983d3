import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSlice } from '../../../contract/state'
import { borderError } from '../../store/border-error'
import { useAppState, useCommand } from '../../store/context'
import { AsOf } from '../../ui/as-of'
import { ErrorNote } from '../../ui/error-note'
import page from '../../ui/page.module.css'
import { useAgainWhileOld } from '../../ui/use-again-while-old'
import { BrowserWaiting } from './browser-waiting'
import { ClientIdForm } from './client-id-form'
import styles from './instances.module.css'
import { ProfileList } from './profile-list'

/** One instance: its login, and its profiles. */
export function InstanceCard({ instance }: { readonly instance: InstanceSlice }): ReactNode {
  const { t } = useTranslation()
  const { id, login, profiles } = instance
  const logIn = useCommand('logIn')
  const logOut = useCommand('logOut')
  const refresh = useCommand('refreshProfiles')
  const instanceId = id
  const again = () => void refresh.run({ instanceId })
  useAgainWhileOld(profiles.seenAt !== undefined, again)
  const headingId = useId()
  const { connection } = useAppState()
  // What ended the connection is said over this card already.
  const ended =
    connection.state === 'failed' && connection.target.instanceId === id ? connection.error : undefined
  const failures = [
    login === 'signed-out' && instance.loginError?.code === ended?.code ? undefined : instance.loginError,
    borderError(logIn.error, instance.loginError),
    logOut.error,
    refresh.error,
  ]
  const retry = (
    <div>
      <Button variant="default" loading={refresh.pending} onClick={again}>
        {t('instance.retry')}
      </Button>
    </div>
  )

  return (
    <section className={page.card} aria-labelledby={headingId}>
      <div className={page.head}>
        <div>
          <h2 id={headingId} className={styles.name}>
            <bdi>{id}</bdi>
          </h2>
          {login === 'signed-in' && <p className={page.quiet}>{t('instance.signedIn')}</p>}
          {login === 'signed-out' && <p className={page.quiet}>{t('instance.signedOut')}</p>}
        </div>
        {login === 'signed-in' && (
          <div className={styles.atEnd}>
            {/* Where it failed, its way to try again stands beside the reason. */}
            {profiles.error === undefined && (
              <Button
                variant="subtle"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={refresh.pending}
                onClick={again}
              >
                {t('instance.refresh')}
              </Button>
            )}
            <Button
              variant="subtle"
              className={page.textAtEnd}
              loading={logOut.pending}
              onClick={() => {
                void logOut.run({ instanceId })
              }}
            >
              {t('instance.logOut')}
            </Button>
          </div>
        )}
      </div>
      {failures.map((error, index) => error && <ErrorNote key={index} error={error} />)}
      {login === 'unknown' && instance.loginError !== undefined && retry}
      {login !== 'waiting-for-browser' &&
        [instance.loginError, ended].some((error) => error?.code === 'oauth/client-refused') && (
          <ClientIdForm instanceId={instanceId} />
        )}
      {login === 'signed-out' && (
        <div className={styles.form}>
          {instance.loginError === undefined && (
            <p className={page.quiet}>
              {instance.loggedOut
                ? t('instance.loggedOut', { address: new URL('/', instance.address).href })
                : t('instance.logInHint')}
            </p>
          )}
          <Button
            size="md"
            onClick={() => {
              void logIn.run({ instanceId })
            }}
          >
            {t('instance.logIn')}
          </Button>
        </div>
      )}
      {login === 'waiting-for-browser' && <BrowserWaiting instance={instance} />}
      {profiles.seenAt !== undefined && <AsOf service={id} seenAt={profiles.seenAt} />}
      {profiles.error && (
        <>
          {profiles.seenAt === undefined && <ErrorNote error={profiles.error} />}
          {retry}
        </>
      )}
      <ProfileList instance={instance} />
    </section>
  )
}
