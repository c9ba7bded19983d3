import { Button, TextInput } from '@mantine/core'
import { IconCheck, IconSearch } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppState, InstanceSlice, ProfileItem } from '../../../contract/state'
import { borderError } from '../../store/border-error'
import { useAppState, useCommand } from '../../store/context'
import { ErrorNote } from '../../ui/error-note'
import { Loading } from '../../ui/loading'
import page from '../../ui/page.module.css'
import { isUnderWay } from '../connection/describe'
import styles from './instances.module.css'

/** From so many profiles on they are searched rather than looked through. */
const searchedFrom = 8

/** The profiles of an instance, each with the way to connect with it. */
export function ProfileList({ instance }: { readonly instance: InstanceSlice }): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy } = useAppState()
  const [words, setWords] = useState('')
  const { id, login, profiles, lastProfileId } = instance
  const [only] = profiles.items
  // The card above has it, with its button or as what is connected.
  if (profiles.items.length === 1 && (!isUnderWay(connection) || isInUse(id, only, connection, heldBy)))
    return null
  if (profiles.items.length > 0) {
    const isSearched = profiles.items.length >= searchedFrom
    const found = withName(lastFirst(profiles.items, lastProfileId), isSearched ? words : '')
    return (
      <>
        {isSearched && (
          <TextInput
            type="search"
            aria-label={t('instance.findProfile')}
            placeholder={t('instance.findProfile')}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={words}
            maxLength={200}
            onChange={(event) => {
              setWords(event.currentTarget.value)
            }}
          />
        )}
        {found.length === 0 ? (
          <p className={page.quiet}>{t('instance.noProfileFound')}</p>
        ) : (
          <ul aria-label={t('instance.profilesOf', { instance: id })}>
            {found.map((profile) => (
              <Profile
                key={profile.profileId}
                instanceId={id}
                profile={profile}
                isLast={profile.profileId === lastProfileId && profiles.items.length > 1}
              />
            ))}
          </ul>
        )}
      </>
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

/** Those whose name holds these words, in whatever case. */
function withName(profiles: readonly ProfileItem[], words: string): readonly ProfileItem[] {
  const wanted = words.trim().toLowerCase()
  return profiles.filter(({ displayName }) => displayName.toLowerCase().includes(wanted))
}

/** Where another process has it, it can still be had here instead. */
function isInUse(
  instanceId: string,
  profile: ProfileItem | undefined,
  connection: AppState['connection'],
  heldBy: AppState['heldBy'],
): boolean {
  return (
    heldBy === undefined &&
    isUnderWay(connection) &&
    'target' in connection &&
    connection.target.instanceId === instanceId &&
    connection.target.profileId === profile?.profileId
  )
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
  const inUse = isInUse(instanceId, profile, connection, heldBy)
  // Once there is a tunnel, it says itself what goes through it: some servers do otherwise than their service says.
  const takesAll =
    inUse && connection.state === 'connected' ? (connection.allTraffic ?? defaultGateway) : defaultGateway
  const failure = borderError(connect.error, connection.state === 'failed' ? connection.error : undefined)

  return (
    <li>
      <div className={styles.profile}>
        <div className={styles.profileText}>
          <p id={nameId} dir="auto">
            {displayName}
          </p>
          {takesAll !== undefined && (
            <p className={page.quiet}>
              {t(takesAll ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')}
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
            variant="light"
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
