import { IconBuilding, IconWorld } from '@tabler/icons-react'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ConnectionTarget } from '../../../contract/connection'
import { isUnderWay } from '../../../contract/connection-summary'
import { useAppState } from '../../store/context'
import { useStart } from '../../store/ended-access'
import { useProfileName, useServiceName } from '../../store/profile-name'
import { useTarget } from '../../store/target'
import { loadedLater } from '../../ui/loaded-later'
import type { MenuEntry } from '../../ui/more-menu'
import { searchKeys } from '../../ui/use-shortcuts'
import { askFor } from '../../ui/window-actions'
import { isSame, toPick, type FoundProfile } from '../instances/find-profiles'
import styles from './stage.module.css'

const MoreMenu = loadedLater(async () => (await import('../../ui/more-menu')).MoreMenu)

/** The profile and its service; the service alone where the profile has no name that is known. */
export function Subject({
  instanceId,
  profileId,
}: Pick<ConnectionTarget, 'instanceId'> & { readonly profileId: string | undefined }): ReactNode {
  const profile = useProfileName(profileId === undefined ? undefined : { instanceId, profileId })
  const service = useServiceName(instanceId)
  return (
    <>
      {/* An id says nothing to a person. */}
      <bdi className={styles.profile}>{profile ?? service}</bdi>
      {profile !== undefined && (
        <span className={styles.service}>
          {' · '}
          <bdi>{service}</bdi>
        </span>
      )}
    </>
  )
}

/** The profile and its service, as a button that offers others. */
export function ProfilePicker({ target }: { readonly target: ConnectionTarget }): ReactNode {
  const { t } = useTranslation()
  const { connection, heldBy, instances, shortcuts } = useAppState()
  const { pick } = useTarget()
  const start = useStart()
  // One that ends goes on to nothing: the profile is for the next.
  const goesOn =
    isUnderWay(connection) && (connection.state !== 'disconnecting' || connection.switching === true)
  const profile = useProfileName(target)
  const service = useServiceName(target.instanceId)
  const { instanceId, profileId } = target
  const offered = useMemo(
    () => toPick(instances, shortcuts, { instanceId, profileId }),
    [instances, shortcuts, instanceId, profileId],
  )
  const name = <Subject instanceId={instanceId} profileId={profileId} />
  if (offered.every((each) => isSame(each, target))) return <p className={styles.subject}>{name}</p>
  return (
    <MoreMenu
      looks="plain"
      label={`${profile === undefined ? '' : `${profile} · `}${service}. ${t('connection.pick')}`}
      className={styles.subject}
      entries={[
        ...offered.map((each): MenuEntry => ({
          key: `${each.instanceId} ${each.profileId}`,
          label: <Choice {...each} withService={instances.length > 1} />,
          chosen: isSame(each, target),
          onChoose: () => {
            const picked = { instanceId: each.instanceId, profileId: each.profileId }
            // A connection goes on to the profile that is picked, also before it is up.
            if (goesOn) void start(picked, { isHeld: heldBy !== undefined })
            else pick(picked)
          },
        })),
        {
          key: 'find',
          label: t('connection.findOther'),
          keys: searchKeys,
          startsGroup: true,
          onChoose: () => {
            // After the menu has given the focus back.
            requestAnimationFrame(() => {
              askFor('search')
            })
          },
        },
      ]}
    >
      {name}
    </MoreMenu>
  )
}

/** As in the list: the kind of profile, its name and what goes through it. */
function Choice({
  service,
  profile: { displayName, defaultGateway },
  withService,
}: FoundProfile & { readonly withService: boolean }): ReactNode {
  const { t } = useTranslation()
  const KindIcon = defaultGateway ? IconWorld : IconBuilding
  const reach =
    defaultGateway === undefined
      ? undefined
      : t(defaultGateway ? 'instance.profileAllTraffic' : 'instance.profileSomeTraffic')
  return (
    <span className={styles.choice}>
      <KindIcon size={18} stroke={1.75} aria-hidden />
      <span className={styles.choiceText}>
        <bdi>{displayName}</bdi>{' '}
        <span className={styles.choiceFacts}>
          {withService && <bdi>{service}</bdi>}
          {withService && reach !== undefined && ' · '}
          {reach}
        </span>
      </span>
    </span>
  )
}
