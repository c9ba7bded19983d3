import type { ConnectionTarget } from '../../../contract/connection'
import { isUnderWay } from '../../../contract/connection-summary'
import type { AppState, InstanceSlice, ProfileItem } from '../../../contract/state'
import { serviceName } from '../../../contract/service-name'
import { fold } from '../../ui/contains-words'

/** Up to this many profiles are looked through; more are searched, with the recent and starred ones on top. */
export const lookedThrough = 4

/** The most recent profiles that stand on top of the list. */
const maxRecent = 3

export interface FoundProfile extends ConnectionTarget {
  /** The name of its service. */
  readonly service: string
  readonly profile: ProfileItem
}

export function profilesOf(instance: InstanceSlice): FoundProfile[] {
  return instance.profiles.items.map((profile) => ({
    instanceId: instance.id,
    profileId: profile.profileId,
    service: serviceName(instance),
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

/** The most profiles that the picker offers. */
const maxPicked = 10

/** Returns the profiles to pick from: the starred and recent ones, the one in view, and others as long as there is room. */
export function toPick(
  instances: readonly InstanceSlice[],
  shortcuts: AppState['shortcuts'],
  current: ConnectionTarget,
): FoundProfile[] {
  const all = instances.flatMap(profilesOf)
  const inView = all.filter((each) => isSame(each, current))
  const picked: FoundProfile[] = []
  for (const each of [...onTop(instances, shortcuts).slice(0, maxPicked - 1), ...inView, ...all]) {
    if (picked.length === maxPicked) break
    if (each.profile.notSupported !== true && !picked.some((other) => isSame(other, each))) picked.push(each)
  }
  return picked
}

/** A profile with its texts, folded once for all searches. */
export interface Searched {
  readonly each: FoundProfile
  readonly name: Text
  readonly service: Text
  /** What names it for programs. */
  readonly ids: string
}

interface Text {
  readonly folded: string
  readonly words: readonly string[]
}

function textOf(text: string): Text {
  const folded = fold(text)
  return { folded, words: wordsIn(folded) }
}

function wordsIn(folded: string): string[] {
  return folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
}

/** Prepares the profiles of all services to be searched. */
export function searchedProfiles(instances: readonly InstanceSlice[]): Searched[] {
  return instances.flatMap((instance) => {
    const profiles = profilesOf(instance)
    const service = textOf(profiles[0]?.service ?? '')
    return profiles.map((each) => ({
      each,
      name: textOf(each.profile.displayName),
      service,
      ids: fold(`${each.instanceId} ${each.profileId}`),
    }))
  })
}

/** From the best match to the worst; the last ones count only where there is no other. */
const ranks = ['same', 'starts', 'words', 'inside', 'service', 'ids'] as const

/**
 * Returns the profiles that hold each of these words, whatever case and accents, the best first: the name itself, its start, words
 * in it, parts of it, and then the name of the service. Ids are looked at only if nothing else fits.
 */
export function findProfiles(profiles: readonly Searched[], text: string): FoundProfile[] {
  const query = fold(text).trim().replaceAll(/\s+/gu, ' ')
  if (query === '') return []
  const words = query.split(' ')
  const byRank = ranks.map((): { readonly each: FoundProfile; readonly whole: number }[] => [])
  for (const one of profiles) {
    const rank = rankOf(one, query, words)
    if (rank === undefined) continue
    // "lab 1" means Laboratory 1 rather than Laboratory 10.
    const whole = words.filter((word) => one.name.words.includes(word)).length
    byRank[ranks.indexOf(rank)]?.push({ each: one.each, whole })
  }
  const found = byRank.flatMap((matches, rank, all) =>
    ranks[rank] === 'ids' && all.slice(0, rank).some(({ length }) => length > 0)
      ? []
      : matches.sort((one, other) => other.whole - one.whole),
  )
  return found.map(({ each }) => each)
}

function rankOf(
  { name, service, ids }: Searched,
  query: string,
  words: readonly string[],
): (typeof ranks)[number] | undefined {
  if (name.folded === query) return 'same'
  const startsWord = (word: string): boolean => name.words.some((each) => each.startsWith(word))
  const [first = ''] = words
  if (name.folded.startsWith(query) || (name.folded.startsWith(first) && words.every(startsWord)))
    return 'starts'
  if (words.every(startsWord)) return 'words'
  if (words.every((word) => name.folded.includes(word))) return 'inside'
  if (words.every((word) => name.folded.includes(word) || service.folded.includes(word))) return 'service'
  const everywhere = [name.folded, service.folded, ids]
  return words.every((word) => everywhere.some((text) => text.includes(word))) ? 'ids' : undefined
}
