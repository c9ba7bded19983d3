import type { AddressLine, Organization } from './organization'

export interface OrganizationChanges {
  readonly name?: string
  /** Only these lines; the others stay as they are. */
  readonly address?: Readonly<Partial<Record<AddressLine, string>>>
}

/**
 * The Org to send for an update: the one that was read with the changes in it, because a server takes the whole address,
 * and fields that are not known here are not to be lost.
 */
export function withChanges(read: Organization, { name, address }: OrganizationChanges): Organization {
  const { address: old, ...rest } = read
  const changed =
    address === undefined && (old === undefined || old === null) ? {} : { address: { ...old, ...address } }
  return { ...rest, name: name ?? read.name, ...changed }
}
