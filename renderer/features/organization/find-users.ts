import type { OrganizationUserItem } from '../../../contract/organizations'

/** The users whose login, e-mail address or role (as it is shown) holds all of these words, in any case. */
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

/** The first letters of the first two words of a login; these stand in the place of a picture, which is not fetched. */
export function initials(login: string): string {
  const words = login.split(/[\s._@+-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const letters = words.slice(0, 2).map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '')
  return letters.join('').toLocaleUpperCase() || '?'
}

/** True where a person typed this name, as far as it can be seen. */
export function isSameName(typed: string, name: string): boolean {
  return visible(typed) === visible(name)
}

function visible(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
    .trim()
}

/** Without case and accents, so that who has no such key finds them too. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
