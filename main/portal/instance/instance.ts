import type { ApiVersion, ServiceName, ServiceRole } from '../../../contract/choices'
import type { ListLocation } from '../../../contract/organization-list'
import type { LocalizedValue } from '../portal'

/** A VPN service that the user has added. */
export interface Instance {
  /** Host, port and path of the address without scheme and final slash, e.g. `vpn.example.org`; unique. */
  readonly id: string
  /** The base address, with its final slash. */
  readonly address: string
  /** The person's own name for it. */
  readonly name?: string
  /** The OAuth client id to use instead of `org.causeway.app.<platform>`. */
  readonly clientId?: string
  /** The API version that the user set; without it, the newest that the portal offers. */
  readonly apiVersion?: ApiVersion
  /** Addresses of its services that the user has set; they override those of the discovery document (docs/services.md). */
  readonly services?: ServiceAddresses
  /** The user's identity at its services, for services without a gateway that adds it. */
  readonly identity?: ServiceIdentity
  /** An administrator has added it for all users of the computer. */
  readonly managed?: true
  /** Added by an address in the window, where a dialog asks before the first connection. */
  readonly unconfirmed?: true
  /** Somebody has signed in here before, also if nobody is signed in now. */
  readonly hasSignedIn?: true
  /** The organization that the user chose in the list; absent if they entered an address. */
  readonly organization?: ChosenOrganization
}

/** An organization of the list (main/portal/organization-list/). */
export type ChosenOrganization =
  | { readonly type: 'institute_access'; readonly displayName: LocalizedValue }
  | {
      /** Its users log in at the instance's address, its home, and use the API of any location. */
      readonly type: 'secure_internet'
      readonly displayName: LocalizedValue
      readonly orgId: string
      readonly location: Location
    }

/** A server of the network that users of many organizations share; `address` is its base address, with its final slash. */
export type Location = Readonly<ListLocation>

/** Base addresses, without a final slash. */
export type ServiceAddresses = Readonly<Partial<Record<ServiceName, string>>>

/** The values of the identity headers (attachments-service.md, section 5). A header without a value isn't sent. */
export interface ServiceIdentity {
  readonly userId?: string
  /** At least one. */
  readonly roles?: readonly ServiceRole[]
}

/** The endpoints of an instance, from its discovery document (main/portal/discovery/info-document.ts). */
export interface Endpoints {
  readonly apiVersion: ApiVersion
  /** Without a final slash. */
  readonly apiBaseUri: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** True if the portal sends `iss` in every authorization response (RFC 9207). */
  readonly sendsIssuer?: true
  /** The API is that of a location, which didn't issue the tokens. */
  readonly loginElsewhere?: true
  /** The API of version 2 of a portal that has both, for its messages: version 3 has none. Without a final slash. */
  readonly messagesBaseUri?: string
  /** Base addresses of the services around the VPN that the instance names (docs/services.md). */
  readonly services: ServiceAddresses
}
