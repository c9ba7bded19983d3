import type { ConnectionTarget } from '../../../contract/connection'
import { isUnderWay } from '../../../contract/connection-summary'
import type { AppState, InstanceSlice, ProfileItem } from '../../../contract/state'
import { containsWords } from '../../ui/contains-words'

/** Up to this many profiles are looked through; more are searched, with the recent and starred ones on top. */
export const lookedThrough = 4

/** The most recent profiles that stand on top of the list. */
const maxRecent = 3

export interface FoundProfile extends ConnectionTarget {
  /** The name of its service. */
  readonly service: string
  readonly profile: ProfileItem
}

export function profilesOf({ id, listing, profiles }: InstanceSlice): FoundProfile[] {
  return profiles.items.map((profile) => ({
    instanceId: id,
    profileId: profile.profileId,
    service: listing?.name ?? id,
    profile,
  }))
}

export function isSame(one: ConnectionTarget, other: ConnectionTarget): boolean {
  return one.instanceId === other.instanceId && one.profileId === other.profileId
}

/** Returns whether this window connects with the profile. A connection of another process can still be taken over. */
export function isActive(
  profile: ConnectionTarget,
  { connection, heldBy }: Pick<AppState, 'connection' | 'heldBy'>,
): boolean {
  return (
    heldBy === undefined &&
    isUnderWay(connection) &&
    'target' in connection &&
    isSame(connection.target, profile)
  )
}

/** Returns the starred profiles, and the recent ones that are not starred, as far as they are still offered. */
export function onTop(
  instances: readonly InstanceSlice[],
  { starred, recent }: AppState['shortcuts'],
): FoundProfile[] {
  const all = instances.flatMap(profilesOf)
  const offered = (targets: readonly ConnectionTarget[]): FoundProfile[] =>
    targets.flatMap((target) => all.find((each) => isSame(each, target)) ?? [])
  const favourites = offered(starred)
  const others = offered(recent).filter((each) => !favourites.some((favourite) => isSame(favourite, each)))
  return [...favourites, ...others.slice(0, maxRecent)]
}

/** Returns whether the names of a profile and its service together hold each of these words, whatever case and accents. */
export function matches({ instanceId, service, profile }: FoundProfile, words: string): boolean {
  return containsWords(`${profile.displayName} ${service} ${instanceId}`, words)
}
