/** A VPN service that the user has added (vpn-application-api.md, section 1). */
export interface Instance {
  /** Host, port and path of the address without scheme and final slash, e.g. `vpn.example.org`; unique. */
  readonly id: string
  /** The base address, with its final slash. */
  readonly address: string
  /** The OAuth client id to use instead of `org.causeway.app.<platform>`. */
  readonly clientId?: string
}

/** What an instance's info.json says (vpn-application-api.md, section 2). */
export interface Endpoints {
  /** Without a final slash. */
  readonly apiBaseUri: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  /** Base addresses of the services around the VPN, where the instance names them (docs/services.md). */
  readonly services: {
    readonly attachments?: string
    readonly content?: string
    readonly organizations?: string
  }
}
