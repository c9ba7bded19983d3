import { Button } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { connectTarget } from '../../../contract/connection'
import type { InstanceSlice } from '../../../contract/state'
import { borderError } from '../../store/border-error'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import styles from './connection.module.css'

/**
 * The one big button: with the only profile, which then has no other place in the window, or with the one that was used
 * last or tried just now; nothing where there is a choice to make. `main`: it is the thing to do next.
 */
export function ConnectButton({
  instance,
  main,
}: {
  readonly instance: InstanceSlice
  readonly main: boolean
}): ReactNode {
  const { t } = useTranslation()
  const { connection } = useAppState()
  const connect = useCommand('connect')
  const nameId = useId()
  const { items } = instance.profiles
  const only = items.length === 1
  const target = connectTarget({ connection, instances: [instance] })
  const profile = items.find(({ profileId }) => profileId === target?.profileId)
  if (profile === undefined) return null
  const failure = borderError(connect.error, connection.state === 'failed' ? connection.error : undefined)
  const button = (
    <Button
      size="lg"
      variant={main ? 'filled' : 'default'}
      classNames={{ root: styles.connect, label: styles.connectLabel }}
      aria-describedby={only ? nameId : undefined}
      onClick={() => {
        void connect.run({ instanceId: instance.id, profileId: profile.profileId })
      }}
    >
      {only ? t('connection.connect') : t('connection.connectTo', { profile: profile.displayName })}
    </Button>
  )
  return (
    <>
      {only ? (
        <ul aria-label={t('instance.profilesOf', { instance: instance.id })}>
          <li className={styles.onlyProfile}>
            <div>
              <p id={nameId} dir="auto" className={styles.onlyName}>
                {profile.displayName}
              </p>
              {profile.defaultGateway !== undefined && (
                <p className={styles.sentence}>
                  {t(profile.defaultGateway ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')}
                </p>
              )}
            </div>
            {button}
          </li>
        </ul>
      ) : (
        button
      )}
      {failure && <ErrorNote error={failure} />}
    </>
  )
}
