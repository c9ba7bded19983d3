import { CausewayError, hasCode } from '../errors'
import type { Instance } from '../portal/instance/instance'
import { isSupported, type Profile } from '../portal/portal'
import { runnableProtocols } from '../privilege/wireguard-here'
import type { Context } from './command-context'

/**
 * Runs with the profile that the user named: its id, which costs no request, or its display name in any language. Throws
 * `vpn-api/profile-unavailable` with the choices if there is none, or several.
 */
export async function withProfile<T>(
  context: Pick<Context, 'authorized' | 'signal'>,
  instance: Instance,
  idOrName: string,
  run: (profileId: string) => Promise<T>,
): Promise<T> {
  try {
    return await run(idOrName)
  } catch (error) {
    const profiles = isUnavailable(error) ? await profilesOf(context, instance) : undefined
    if (!isUnavailable(error) || profiles === undefined) throw error
    const id = onlyNamed(profiles, idOrName)
    if (id !== undefined && id !== idOrName) return run(id)
    throw await unavailable(profiles, idOrName, error)
  }
}

/** Names the choices in `vpn-api/profile-unavailable`, if a connection to the profile ends with it. */
export async function withChoices(
  context: Pick<Context, 'authorized' | 'signal'>,
  instance: Instance,
  profileId: string,
  ended: Promise<void>,
): Promise<void> {
  try {
    await ended
  } catch (error) {
    const profiles = isUnavailable(error) ? await profilesOf(context, instance) : undefined
    throw isUnavailable(error) && profiles !== undefined
      ? await unavailable(profiles, profileId, error)
      : error
  }
}

function isUnavailable(error: unknown): error is CausewayError {
  return hasCode(error, 'vpn-api/profile-unavailable')
}

/** Returns the id of the profile that the user named. Throws what `withProfile` throws, and what reading the list throws. */
export async function namedProfile(
  context: Pick<Context, 'authorized' | 'signal'>,
  instance: Instance,
  idOrName: string,
): Promise<string> {
  const { items } = await context.authorized(instance, (portal) => portal.profiles(context.signal))
  if (items.some(({ profileId }) => profileId === idOrName)) return idOrName
  const id = onlyNamed(items, idOrName)
  if (id !== undefined) return id
  throw await unavailable(items, idOrName, new CausewayError('vpn-api/profile-unavailable'))
}

/** Returns the profile that the user named, if the list can be read and has it. */
export async function findProfile(
  context: Pick<Context, 'authorized' | 'signal'>,
  instance: Instance,
  idOrName: string,
): Promise<Profile | undefined> {
  const profiles = (await profilesOf(context, instance)) ?? []
  return (
    profiles.find(({ profileId }) => profileId === idOrName) ??
    profiles.find((profile) => hasName(profile, idOrName))
  )
}

/**
 * Returns the id of the only profile that can be used here. Throws `usage/profile-needed` if there are several, and
 * `vpn-api/profile-unavailable` if there is none.
 */
export async function onlyProfile(
  { authorized, signal }: Pick<Context, 'authorized' | 'signal'>,
  instance: Instance,
): Promise<string> {
  const { items } = await authorized(instance, (portal) => portal.profiles(signal))
  const runnable = await runnableProtocols()
  const usable = items.filter((profile) => isSupported(profile, runnable))
  const [first = items[0], ...others] = usable
  if (first === undefined) {
    throw new CausewayError('vpn-api/profile-unavailable', { variant: 'no-profiles' })
  }
  if (others.length > 0) {
    const ids = usable.map(({ profileId }) => profileId)
    throw new CausewayError('usage/profile-needed', {
      details: { profiles: ids },
    })
  }
  return first.profileId
}

/** Returns undefined if the list can't be read: then the first error says more. */
async function profilesOf(
  { authorized, signal }: Pick<Context, 'authorized' | 'signal'>,
  instance: Instance,
): Promise<readonly Profile[] | undefined> {
  try {
    return (await authorized(instance, (portal) => portal.profiles(signal))).items
  } catch {
    return undefined
  }
}

/** Returns the id of the profile with this name, if only one has it. */
function onlyNamed(profiles: readonly Profile[], wanted: string): string | undefined {
  const [named, ...others] = profiles.filter((profile) => hasName(profile, wanted))
  return others.length === 0 ? named?.profileId : undefined
}

function hasName({ displayName }: Profile, wanted: string): boolean {
  const names = typeof displayName === 'string' ? [displayName] : Object.values(displayName)
  return names.some((name) => folded(name) === folded(wanted))
}

function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/** Returns the error with the profiles that can be used instead. */
async function unavailable(
  profiles: readonly Profile[],
  refused: string,
  cause: CausewayError,
): Promise<CausewayError> {
  if (profiles.length === 0)
    return new CausewayError('vpn-api/profile-unavailable', { variant: 'no-profiles', cause })
  const runnable = await runnableProtocols()
  const usable = profiles.filter((profile) => isSupported(profile, runnable) && profile.profileId !== refused)
  if (usable.length === 0) return cause
  return new CausewayError('vpn-api/profile-unavailable', {
    variant: 'choices',
    details: { ...cause.details, profiles: usable.map(({ profileId }) => profileId) },
    cause,
  })
}
