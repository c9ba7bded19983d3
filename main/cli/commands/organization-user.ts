import type { OrganizationPlace } from '../../../contract/organizations'
import { CausewayError } from '../../errors'
import { loginOrEmailOf } from '../../services/organizations/login-or-email'
import type { Member, OrganizationsClient } from '../../services/organizations/organizations-client'
import { terminalLine } from '../../../contract/safe-text'

/**
 * Finds a user by id, login or e-mail address; an id needs no request. Throws `organizations/user-not-found` and the errors of
 * listing users.
 */
export async function findUser(
  client: OrganizationsClient,
  place: OrganizationPlace,
  named: string,
  signal: AbortSignal,
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

/** Returns the id of an organization or user that the user typed, or undefined if it isn't one. */
export function numberIn(typed: string): string | undefined {
  return /^\d{1,20}$/.exec(typed.trim())?.[0]
}

/** Converts an id for JSON: a number, or a string if a number can't hold it exactly. */
export function idInJson(id: string): number | string {
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? number : id
}

/** Shortens a server's text to one line of at most `maxLength` characters. */
export function shortened(text: string, maxLength: number): string {
  const characters = Array.from(terminalLine(text).replaceAll(/\s+/g, ' '))
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`
}
