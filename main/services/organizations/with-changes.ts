import { type AddressLine, addressLines, type Organization } from './organization'

export interface OrganizationChanges {
  readonly name?: string
  /** Only these lines; the others stay as they are. */
  readonly address?: Readonly<Partial<Record<AddressLine, string>>>
}

/** Org as a server takes it: a whole address, and nothing that it did not ask for. Its id is in the path. */
export interface SentOrganization {
  readonly name: string
  readonly address?: Readonly<Record<AddressLine, string>>
}

/** Returns all lines of an address, those that are missing as empty texts. */
export function wholeAddress(
  address: Readonly<Partial<Record<AddressLine, string | null | undefined>>>,
): Record<AddressLine, string> {
  const lines = addressLines.map((line) => [line, address[line] ?? ''])
  return Object.fromEntries(lines) as Record<AddressLine, string>
}

/** Returns the Org to send for an update: the one that was read, with the changes in it. */
export function withChanges(read: Organization, { name, address }: OrganizationChanges): SentOrganization {
  const isUnknown = address === undefined && (read.address === undefined || read.address === null)
  return {
    name: name ?? read.name,
    ...(isUnknown ? {} : { address: wholeAddress({ ...read.address, ...address }) }),
  }
}
