import type { OrganizationUserItem } from '../../../contract/organizations'

/**
 * Returns the users whose login, email address or displayed role contains all of these words, ignoring case and
 * accents.
 */
export function findUsers(
  users: readonly OrganizationUserItem[],
  search: string,
  roleText: (role: string) => string,
): readonly OrganizationUserItem[] {
  const words = fold(search).split(/\s+/).filter(Boolean)
  if (words.length === 0) return users
  return users.filter(({ login, email, role }) => {
    const texts = fold(`${login}\n${email}\n${role}\n${roleText(role)}`)
    return words.every((word) => texts.includes(word))
  })
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

/** Removes case and accents, so that a name is found without the keys for them. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
