import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { InstanceSlice, ProfileItem } from '../../../preload/contract'
import { borderError } from '../../store/border-error'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { isUnderWay } from '../connection/describe'
import styles from './instances.module.css'

/** The profiles of an instance, each with the way to connect with it. */
export function ProfileList({ instance }: { readonly instance: InstanceSlice }): ReactNode {
  const { t } = useTranslation()
  const { id, login, profiles, lastProfileId } = instance
  if (profiles.items.length > 0) {
    return (
      <ul aria-label={t('instance.profilesOf', { instance: id })}>
        {lastFirst(profiles.items, lastProfileId).map((profile) => (
          <Profile
            key={profile.profileId}
            instanceId={id}
            profile={profile}
            isLast={profile.profileId === lastProfileId && profiles.items.length > 1}
          />
        ))}
      </ul>
    )
  }
  if (profiles.status === 'loading') return <Loading label={t('instance.loading')} />
  if (login === 'signed-in' && profiles.status === 'loaded') return <p>{t('instance.noProfiles')}</p>
  return null
}

/** The one that was connected last on top, the others in the order of the instance. */
function lastFirst(profiles: readonly ProfileItem[], last: string | undefined): ProfileItem[] {
  return [
    ...profiles.filter(({ profileId }) => profileId === last),
    ...profiles.filter(({ profileId }) => profileId !== last),
  ]
}

function Profile({
  instanceId,
  profile,
  isLast,
}: {
  readonly instanceId: string
  readonly profile: ProfileItem
  readonly isLast: boolean
}): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy } = useAppState()
  const connect = useCommand('connect')
  const nameId = useId()
  const { profileId, displayName, defaultGateway } = profile
  // Where another process has it, it can still be had here instead.
  const inUse =
    heldBy === undefined &&
    isUnderWay(connection) &&
    'target' in connection &&
    connection.target.instanceId === instanceId &&
    connection.target.profileId === profileId
  const failure = borderError(connect.error, connection.state === 'failed' ? connection.error : undefined)

  return (
    <li>
      <div className={styles.profile}>
        <div className={styles.profileText}>
          <p id={nameId}>{displayName}</p>
          {defaultGateway !== undefined && (
            <p className={page.quiet}>
              {t(defaultGateway ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')}
            </p>
          )}
          {isLast && !inUse && <p className={page.quiet}>{t('instance.profileLast')}</p>}
        </div>
        {inUse ? (
          <span className={styles.inUse}>
            <IconCheck size={16} aria-hidden />
            {t('instance.profileInUse')}
          </span>
        ) : (
          <Button
            flex="none"
            variant={isLast ? 'filled' : 'light'}
            aria-describedby={nameId}
            onClick={() => {
              void connect.run({ instanceId, profileId, ...(heldBy === undefined ? {} : { takeOver: true }) })
            }}
          >
            {t(heldBy === undefined ? 'connection.connect' : 'connection.takeOver')}
          </Button>
        )}
      </div>
      {failure && <ErrorNote error={failure} />}
    </li>
  )
}
