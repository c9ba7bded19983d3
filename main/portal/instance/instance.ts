import type { ServiceName, ServiceRole } from '../../../contract/choices'

/** A VPN service that the user has added (vpn-application-api.md, section 1). */
export interface Instance {
  /** Host, port and path of the address without scheme and final slash, e.g. `vpn.example.org`; unique. */
  readonly id: string
  /** The base address, with its final slash. */
  readonly address: string
  /** The OAuth client id to use instead of `org.causeway.app.<platform>`. */
  readonly clientId?: string
  /** Where the user says that its services are; these win over what the instance says itself (docs/services.md). */
  readonly services?: ServiceAddresses
  /** Who the user is to its services, where no gateway in front of them says it. */
  readonly identity?: ServiceIdentity
}

/** Base addresses, without a final slash. */
export type ServiceAddresses = Readonly<Partial<Record<ServiceName, string>>>

/** What the identity headers say (attachments-service.md, section 5); a header whose field is not here is not sent. */
export interface ServiceIdentity {
  readonly userId?: string
  /** At least one. */
  readonly roles?: readonly ServiceRole[]
}

/** The versions of the portals' API that Causeway speaks. */
export type ApiVersion = 2

/** What an instance's info.json says (vpn-application-api.md, section 2). */
export interface Endpoints {
  readonly apiVersion: ApiVersion
  /** Without a final slash. */
  readonly apiBaseUri: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Base addresses of the services around the VPN, where the instance names them (docs/services.md). */
  readonly services: ServiceAddresses
}
