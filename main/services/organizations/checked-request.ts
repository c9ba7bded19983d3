import { addressLines, type OrganizationRole, organizationRoles } from '../../../contract/choices'
import type { VariantOf } from '../../../contract/error-details'
import type { OrganizationAddress } from '../../../contract/organizations'
import { CausewayError } from '../../errors'

const longestText = 1024

/** Checks the id of an organization or a user for a path: an unsigned integer. Throws `organizations/invalid-request`. */
export function checkedId(id: string, field: 'orgId' | 'userId'): string {
  if (/^\d{1,20}$/.test(id)) return id
  throw invalid(field, 'id')
}

/** Checks and trims the name of an organization for a body. Throws `organizations/invalid-request`. */
export function checkedName(name: string): string {
  return checkedText(name, 'name')
}

/**
 * Encodes the name of an organization for a path. Throws `organizations/invalid-request`, also for `.` and `..`, which
 * cannot be path segments.
 */
export function nameInPath(name: string): string {
  // Not trimmed: names on a server may contain such spaces.
  const checked = name.trim() === '' ? checkedName(name) : wellFormed(name, 'name')
  if (checked === '.' || checked === '..') {
    throw invalid('name', 'dots')
  }
  return encodeURIComponent(checked)
}

/** Checks UserRole's `loginOrEmail`. Throws `organizations/invalid-request`. */
export function checkedLogin(login: string): string {
  return checkedText(login, 'loginOrEmail')
}

/** Checks a role. Throws `organizations/invalid-request`. */
export function checkedRole(role: string): OrganizationRole {
  const known = organizationRoles.find((candidate) => candidate === role)
  if (known !== undefined) return known
  throw invalid('role', 'role')
}

/** Checks the address lines to change. Throws `organizations/invalid-request`. */
export function checkedAddress(changes: OrganizationAddress): OrganizationAddress {
  return Object.fromEntries(
    addressLines.flatMap((line) => {
      const text = changes[line]
      return text === undefined ? [] : [[line, wellFormed(text.trim(), line)]]
    }),
  )
}

function checkedText(text: string, field: string): string {
  const trimmed = text.trim()
  if (trimmed === '') throw invalid(field, 'missing')
  return wellFormed(trimmed, field)
}

function wellFormed(text: string, field: string): string {
  if (text.length > longestText) throw invalid(field, 'too-long')
  if (/[\p{Cc}\p{Cs}]/u.test(text)) throw invalid(field, 'control-characters')
  return text
}

function invalid(field: string, variant: VariantOf<'organizations/invalid-request'>): CausewayError {
  return new CausewayError('organizations/invalid-request', {
    variant,
    details: { field },
  })
}
