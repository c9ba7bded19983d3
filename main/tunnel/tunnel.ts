import type { CausewayError } from '../errors'

export interface Remote {
  readonly host: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
}

/** A configuration that Causeway wrote itself; its text holds the private key. */
export interface OpenVpnConfiguration {
  readonly text: string
  readonly remotes: readonly Remote[]
  /** Who decides which traffic goes through: nobody (no routes are made), the server, or the profile: all of it. */
  readonly routes: 'none' | 'pushed' | 'all'
}

export type TunnelPhase = 'starting' | 'resolving' | 'contacting' | 'tls' | 'authenticating' | 'configuring'

/** What a running OpenVPN says, in the order of its log. */
export type TunnelEvent =
  | {
      readonly event: 'phase'
      readonly phase: TunnelPhase
      readonly remote?: Remote & { readonly address: string }
    }
  | { readonly event: 'connected'; readonly details: TunnelDetails }
  /** A tunnel that was up is lost, and OpenVPN tries to get it back. Not said when the first attempts move on. */
  | { readonly event: 'restarting'; readonly reason: string }
  /** Of the first attempts: nobody listens at this UDP port. OpenVPN goes on waiting for it. */
  | { readonly event: 'refused'; readonly remote: Remote }
  | { readonly event: 'log'; readonly line: string }

export interface TunnelDetails {
  readonly addresses: { readonly ipv4?: string; readonly ipv6?: string }
  readonly remote: { readonly address: string; readonly port: number; readonly protocol: 'udp' | 'tcp' }
  readonly cipher?: string
  /**
   * Whether all IPv4 traffic is led through the tunnel, by the configuration or by what the server pushed; absent for
   * a handshake-only run, which makes no routes.
   */
  readonly allTraffic?: boolean
  /** The tun device's name; absent for a handshake-only run. */
  readonly device?: string
  /** The name servers that the server pushed, and whether the system uses them now; absent where it pushed none. */
  readonly dns?: TunnelDns
}

export interface TunnelDns {
  readonly servers: readonly string[]
  /** The domains to look up there; none stands for every name. */
  readonly domains: readonly string[]
  readonly applied: boolean
}

/** How it ended. `stopped`: because stop() was called, before there was a reason to fail. */
export type TunnelEnd =
  { readonly end: 'stopped' } | { readonly end: 'failed'; readonly error: CausewayError }

/** One OpenVPN process. */
export interface Tunnel {
  /** Settles once, after the process is gone; never rejects. */
  readonly ended: Promise<TunnelEnd>
  /**
   * Asks it to end, and makes it after 5 s; resolves when the process is gone. A kill switch stays: it is lifted when
   * the user disconnects, and not when a tunnel is started again.
   */
  stop(): Promise<void>
}

/**
 * Starts OpenVPN with the configuration on its standard input (openvpn.md). `handshake-only` makes no device, no
 * routes, and needs no privilege. Resolves once the process runs; throws `openvpn/not-found`, `openvpn/too-old`,
 * `openvpn/not-permitted`, `helper/not-installed`, `helper/needed-for-kill-switch`.
 */
export type StartTunnel = (options: {
  readonly configuration: OpenVpnConfiguration
  readonly mode: 'full' | 'handshake-only'
  readonly onEvent: (event: TunnelEvent) => void
}) => Promise<Tunnel>
