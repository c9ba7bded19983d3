import { CausewayError } from '../../errors'
import { type AddressLine, addressLines, type Role, roles } from './organization'

const longestText = 1024

/** An organization or a user in a path: unsigned. Throws `organizations/invalid-request`. */
export function checkedId(id: string, field: 'orgId' | 'userId'): string {
  if (/^\d{1,20}$/.test(id)) return id
  throw invalid(
    field,
    `The number of ${field === 'orgId' ? 'an organization' : 'a user'} must be a whole number, 0 or greater.`,
  )
}

/** The name of an organization as it is sent. Throws `organizations/invalid-request`. */
export function checkedName(name: string): string {
  return checkedText(name, 'name', "The organization's name")
}

/**
 * The name of an organization as a part of a path. Throws `organizations/invalid-request`, also for `.` and `..`, which no
 * path can hold as a name.
 */
export function nameInPath(name: string): string {
  // Not trimmed: a server may hold a name with such spaces.
  const checked = name.trim() === '' ? checkedName(name) : wellFormed(name, 'name', "The organization's name")
  if (checked === '.' || checked === '..') {
    throw invalid('name', "An organization with this name can't be requested by name. Use its number.")
  }
  return encodeURIComponent(checked)
}

/** UserRole's `loginOrEmail`. Throws `organizations/invalid-request`. */
export function checkedLogin(login: string): string {
  return checkedText(login, 'loginOrEmail', "The user's login or email address")
}

/** Throws `organizations/invalid-request`. */
export function checkedRole(role: string): Role {
  const known = roles.find((candidate) => candidate === role)
  if (known !== undefined) return known
  throw invalid('role', `The role must be one of ${roles.join(', ')}.`)
}

/** The lines of an address that are to change. Throws `organizations/invalid-request`. */
export function checkedAddress(
  changes: Readonly<Partial<Record<AddressLine, string>>>,
): Partial<Record<AddressLine, string>> {
  return Object.fromEntries(
    addressLines.flatMap((line) => {
      const text = changes[line]
      return text === undefined ? [] : [[line, wellFormed(text.trim(), line, 'The address line')]]
    }),
  )
}

function checkedText(text: string, field: string, what: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(field, `${what} is missing.`)
  return wellFormed(trimmed, field, what)
}

function wellFormed(text: string, field: string, what: string): string {
  if (text.length > longestText)
    throw invalid(field, `${what} can't be longer than ${longestText} characters.`)
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw invalid(field, `${what} can't contain control characters.`)
  return text
}

function invalid(field: string, message: string): CausewayError {
  return new CausewayError('organizations/invalid-request', `${message} Change it, then try again.`, {
    details: { field },
  })
}
