import { type AddressLine, addressLines } from '../../../contract/choices'
import type { OrganizationAddress } from '../../../contract/organizations'
import type { Organization } from './organization'

export interface OrganizationChanges {
  readonly name?: string
  /** Lines to change; the others stay. */
  readonly address?: OrganizationAddress
}

/** An Org in the form that servers accept: a complete address, and no additional fields. Its id is in the path. */
export interface SentOrganization {
  readonly name: string
  readonly address?: Readonly<Record<AddressLine, string>>
}

/** Returns all lines of an address, with empty texts for missing lines. */
export function wholeAddress(
  address: Readonly<Partial<Record<AddressLine, string | null | undefined>>>,
): Record<AddressLine, string> {
  const lines = addressLines.map((line) => [line, address[line] ?? ''])
  return Object.fromEntries(lines) as Record<AddressLine, string>
}

/** Returns the Org to send for an update: the current one with the changes. */
export function withChanges(read: Organization, { name, address }: OrganizationChanges): SentOrganization {
  const isUnknown = address === undefined && (read.address === undefined || read.address === null)
  return {
    name: name ?? read.name,
    address: isUnknown ? undefined : wholeAddress({ ...read.address, ...address }),
  }
}
