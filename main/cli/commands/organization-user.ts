import { CausewayError } from '../../errors'
import type { OrganizationPlace, OrganizationsClient } from '../../organizations/organizations-client'
import { printableLine } from '../output'

/**
 * The number of the user whom a person named by it, by login or by e-mail address. Throws `organizations/user-not-found`,
 * and what listing the users throws.
 */
export async function findUserId(
  client: OrganizationsClient,
  place: OrganizationPlace,
  named: string,
  signal: AbortSignal,
): Promise<number> {
  if (/^\d{1,15}$/.test(named)) return Number(named)
  const wanted = named.trim().toLowerCase()
  const users = await client.users(place, signal)
  const found = users.find(
    ({ login, email }) => login.toLowerCase() === wanted || email.toLowerCase() === wanted,
  )
  if (found !== undefined) return found.userId
  throw new CausewayError(
    'organizations/user-not-found',
    'The organization has no user of this login or e-mail address. List its users to see who is there.',
  )
}

/** A server's text in one line of a terminal, of at most this many characters. */
export function shortened(text: string, maxLength: number): string {
  const characters = Array.from(printableLine(text).replaceAll(/\s+/g, ' '))
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`
}
