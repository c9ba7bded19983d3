import { CausewayError } from '../../errors'
import {
  loginOrEmailOf,
  type Member,
  type OrganizationPlace,
  type OrganizationsClient,
} from '../../services/organizations/organizations-client'
import { printableLine } from '../output'

/**
 * The user whom a person named by number, login or e-mail address; by number the list is not asked for. Throws
 * `organizations/user-not-found`, and what listing the users throws.
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
  const { users, unreadable } = await client.users(place, signal)
  const found = users.find(
    ({ login, email }) => login.toLowerCase() === wanted || email.toLowerCase() === wanted,
  )
  if (found !== undefined) return { userId: found.userId, loginOrEmail: loginOrEmailOf(found) }
  const others = unreadable === 0 ? '' : ` ${unreadableText(unreadable)}`
  throw new CausewayError(
    'organizations/user-not-found',
    `No user of this organization has this login or email address. To list its users, run: causeway organization users.${others}`,
    { ...(unreadable === 0 ? {} : { details: { unreadable } }) },
  )
}

/** The number of an organization or a user in what a person typed, undefined where it is none. */
export function numberIn(typed: string): string | undefined {
  return /^\d{1,20}$/.exec(typed.trim())?.[0]
}

/** An id as JSON has always had it: a number, or a text where a number could not hold it. */
export function idInJson(id: string): number | string {
  const number = Number(id)
  return Number.isSafeInteger(number) && String(number) === id ? number : id
}

/** Says how many records of a list were no users. */
export function unreadableText(count: number): string {
  return `${count === 1 ? '1 user' : `${count} users`} couldn't be read. Report this to the service's administrator.`
}

/** A server's text in one line of a terminal, of at most this many characters. */
export function shortened(text: string, maxLength: number): string {
  const characters = Array.from(printableLine(text).replaceAll(/\s+/g, ' '))
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`
}
