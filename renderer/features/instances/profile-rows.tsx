import type { ReactNode } from 'react'
import { useEndedAccess } from '../../store/ended-access'
import { useAppState } from '../../store/context'
import { dividesApps } from '../../store/divides-apps'
import { useDescriptionWith } from '../../store/use-description'
import { loadedLater } from '../../ui/loaded-later'
import { isActive, isSame, type FoundProfile } from './find-profiles'
import { ProfileRow } from './profile-row'

/** Estimated, in CSS pixels. */
const rowHeight = 44
/** Longer lists are virtual. The start loads no code for that. */
const maxPlain = 40

const LongList = loadedLater(async () => (await import('../../ui/virtual-list')).VirtualListInPage)

/** Names a row among all rows of the view. */
export function rowKey(group: string, { instanceId, profileId }: FoundProfile): string {
  return `${group} ${instanceId} ${profileId}`
}

/** A list of profiles. Each row connects, wherever it is clicked. */
export function ProfileRows({
  label,
  rows,
  withService = false,
  stars,
  group,
  marked,
}: {
  readonly label: string
  readonly rows: readonly FoundProfile[]
  /** With the name of its service beside each. */
  readonly withService?: boolean
  /** With a button to star each. */
  readonly stars: boolean
  /** Names the list among others with the same profiles. */
  readonly group: string
  /** The key (`rowKey`) of the row that Enter in the search field connects. */
  readonly marked?: string | undefined
}): ReactNode {
  const { connection, heldBy, shortcuts, settings, managedSettings } = useAppState()
  const hasApps = dividesApps({ settings, shortcuts }) && !managedSettings.includes('appsMode')
  // The stage tells of a sign-in.
  const { word, tone } = useDescriptionWith(undefined)
  const isOver = useEndedAccess()

  const keyOf = (index: number): string => `${rows[index]?.instanceId} ${rows[index]?.profileId}`
  const row = (index: number): ReactNode => {
    const each = rows[index]
    if (each === undefined) return null
    const isInUse = isActive(each, { connection, heldBy })
    return (
      <ProfileRow
        instanceId={each.instanceId}
        profile={each.profile}
        service={withService ? each.service : undefined}
        starred={stars ? shortcuts.starred.some((star) => isSame(star, each)) : undefined}
        choice={shortcuts.choices?.find((choice) => isSame(choice, each))}
        hasApps={hasApps && each.profile.defaultGateway !== false && each.profile.notSupported !== true}
        word={isInUse ? word : undefined}
        tone={isInUse ? tone : undefined}
        isMarked={marked === rowKey(group, each)}
        isHeld={heldBy !== undefined}
        renews={isOver(each.instanceId)}
      />
    )
  }

  if (rows.length > maxPlain) {
    return (
      <LongList
        label={label}
        count={rows.length}
        rowHeight={rowHeight}
        rowKey={keyOf}
        row={row}
        pinned={rows.findIndex((each) => rowKey(group, each) === marked)}
      />
    )
  }
  return (
    <ul aria-label={label}>
      {rows.map((_, index) => (
        <li key={keyOf(index)}>{row(index)}</li>
      ))}
    </ul>
  )
}
