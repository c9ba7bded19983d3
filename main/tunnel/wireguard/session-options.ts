import type { TunnelParts } from '../program-tunnel'
import type { Clock } from './clock'
import type { Endpoint, WireGuardConfiguration } from './configuration'
import type { ProxyGuard } from './proxyguard'

/** Parameters for a session. */
export interface SessionOptions extends TunnelParts {
  readonly configuration: WireGuardConfiguration
  /** The host that is contacted outside the tunnel. */
  readonly contacted: Endpoint
  readonly proxy: ProxyGuard | undefined
  /** Holds the private key; overwritten once the helper has read it. */
  readonly request: Buffer
  readonly clock: Clock
  /** Called with the address of the server that has answered. */
  readonly onAnswered: (address: string) => void
}
