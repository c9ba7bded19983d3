import type { OrganizationUserItem } from '../../../contract/organizations'
import { containsWords } from '../../ui/contains-words'

/**
 * Returns the users whose login, email address or displayed role contains all of these words, ignoring case and
 * accents.
 */
export function findUsers(
  users: readonly OrganizationUserItem[],
  search: string,
  roleText: (role: string) => string,
): readonly OrganizationUserItem[] {
  return users.filter(({ login, email, role }) =>
    containsWords(`${login}\n${email}\n${role}\n${roleText(role)}`, search),
  )
}

/** Returns the initials of a login, from its first two words. */
export function initials(login: string): string {
  const words = login.split(/[\s._@+-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = words.slice(0, 2).map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '')
  return letters.join('').toLocaleUpperCase() || '?'
}

/** Returns whether a typed name looks the same as this one. */
export function isSameName(typed: string, name: string): boolean {
  return visible(typed) === visible(name)
}

function visible(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
}
