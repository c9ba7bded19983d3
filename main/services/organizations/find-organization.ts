import type { OrganizationPlace, WhichOrganization } from '../../../contract/organizations'
import { CausewayError, hasCode } from '../../errors'
import { loginOrEmailOf } from './login-or-email'
import type { Organization } from './organization'
import type { Member, OrganizationsClient } from './organizations-client'

type Reading = Pick<OrganizationsClient, 'current' | 'byId' | 'byName' | 'users'>

/** Returns an organization with its address, if the caller may read that: the service gives the current one without. */
export async function findOrganization(
  client: Reading,
  which: WhichOrganization,
  signal?: AbortSignal,
): Promise<Organization> {
  switch (which.by) {
    case 'id':
      return client.byId(which.orgId, signal)
    case 'name':
      return client.byName(which.name, signal)
    case 'current': {
      const current = await client.current(signal)
      return { ...current, address: current.address ?? (await addressOf(client, current, signal)) }
    }
  }
}

/** Returns the address of the organization, or undefined if it can't be read. */
async function addressOf(
  client: Reading,
  { id }: Organization,
  signal: AbortSignal | undefined,
): Promise<Organization['address']> {
  try {
    return (await client.byId(id, signal)).address
  } catch (error) {
    if (error instanceof CausewayError && !hasCode(error, 'http/cancelled')) return undefined
    throw error
  }
}

/** Returns the place of an organization; only a name needs a request. */
export async function placeOf(
  client: Reading,
  place: OrganizationPlace | { readonly name: string },
  signal?: AbortSignal,
): Promise<OrganizationPlace> {
  if (place === 'current' || 'orgId' in place) return place
  return { orgId: (await client.byName(place.name, signal)).id }
}

/**
 * Finds a user by id, login or e-mail address; an id needs no request. Throws `organizations/user-not-found` and the errors of
 * listing users.
 */
export async function findMember(
  client: Reading,
  place: OrganizationPlace,
  named: string,
  signal?: AbortSignal,
): Promise<Member> {
  const userId = numberIn(named)
  if (userId !== undefined) return { userId }
  const wanted = named.trim().toLowerCase()
  const { items: users, unreadable } = await client.users(place, signal)
  const found = users.find(
    ({ login, email }) => login.toLowerCase() === wanted || email.toLowerCase() === wanted,
  )
  if (found !== undefined) return { userId: found.userId, loginOrEmail: loginOrEmailOf(found) }
  throw new CausewayError('organizations/user-not-found', {
    variant: unreadable === 0 ? 'not-in-list' : 'not-in-readable-list',
    details: unreadable === 0 ? undefined : { unreadable },
  })
}

/** Returns the id of an organization or user that somebody typed, or undefined if it isn't one. */
export function numberIn(typed: string): string | undefined {
  return /^\d{1,20}$/.exec(typed.trim())?.[0]
}
