import type { AppState } from './state'

/**
 * What to connect to where nobody says what: the profile that was used last at the instance that the window shows, else at
 * that of the last connection, or at the only instance, or its only profile. Undefined where that leaves a choice, or
 * nothing.
 */
export function connectTarget({
  connection,
  instances,
  shown,
}: Pick<AppState, 'connection' | 'instances'> & Partial<Pick<AppState, 'shown'>>):
  { readonly instanceId: string; readonly profileId: string } | undefined {
  const last = 'target' in connection ? connection.target : undefined
  const instance =
    instances.find(({ id }) => id === shown?.instanceId) ??
    instances.find(({ id }) => id === last?.instanceId) ??
    (instances.length === 1
      ? instances[0]
      : onlyOne(instances, ({ lastProfileId }) => lastProfileId !== undefined))
  if (instance === undefined) return undefined
  const { id, lastProfileId, profiles } = instance
  const known = profiles.items.map(({ profileId }) => profileId)
  // Who is logged out has no profiles to be seen, and logs in on the way.
  const profileId =
    [last?.instanceId === id ? last.profileId : undefined, lastProfileId].find(
      (each) => each !== undefined && (known.length === 0 || known.includes(each)),
    ) ?? onlyOne(known)
  return profileId === undefined ? undefined : { instanceId: id, profileId }
}

function onlyOne<Item>(items: readonly Item[], is: (item: Item) => boolean = () => true): Item | undefined {
  const found = items.filter(is)
  return found.length === 1 ? found[0] : undefined
}
