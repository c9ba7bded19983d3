import type { SecureContext } from 'node:tls'
import type { CausewayError } from '../../errors'
import type { Proxy } from '../../platform/http/proxies'
import type { DialPort } from './dial-port'

/** Parameters for the ProxyGuard client. */
export interface ProxyGuardOptions {
  /** The address of the ProxyGuard server: https. */
  readonly endpoint: URL
  /** The proxy of this network on the way to the server; undefined for none. */
  readonly via: Proxy | undefined
  /** WireGuard's own port on this computer, the only one whose datagrams are forwarded. */
  readonly listenPort: number
  /** Returns whether the service may name this address of the server. */
  readonly mayReach: (address: string) => Promise<boolean>
  /** Has the helper let this one socket past the tunnel, instead of the one before; not true if it can't. */
  readonly permit: (address: string, from: DialPort) => Promise<boolean | undefined>
  /** The authorities that may vouch for the server. */
  readonly secureContext: () => Promise<SecureContext>
  /** Called once with a final error; the client is closed by then. */
  readonly onFailure: (error: CausewayError) => void
  /** Called with an error that would have been final before there was a connection; the client dials again. */
  readonly onTrouble: (error: CausewayError) => void
  /** Calls back after this time, unless the returned function is called before. */
  readonly after?: (milliseconds: number, work: () => void) => () => void
}
