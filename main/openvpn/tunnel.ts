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
}

/** How it ended. `stopped`: because stop() was called, before there was a reason to fail. */
export type TunnelEnd =
  { readonly end: 'stopped' } | { readonly end: 'failed'; readonly error: CausewayError }

/** One OpenVPN process. */
export interface Tunnel {
  /** Settles once, after the process is gone; never rejects. */
  readonly ended: Promise<TunnelEnd>
  /**
   * Asks it to end, and makes it after 5 s; resolves when the process is gone. The kill switch goes with it, unless
   * `keepKillSwitch`: for a tunnel that is started again at once.
   */
  stop(options?: { readonly keepKillSwitch?: boolean }): Promise<void>
}

/**
 * Starts OpenVPN with the configuration on its standard input (openvpn.md). `handshake-only` makes no device, no
 * routes, and needs no privilege. Resolves once the process runs; throws `openvpn/not-found`, `openvpn/too-old`,
 * `openvpn/not-permitted`.
 */
export type StartTunnel = (options: {
  readonly configuration: OpenVpnConfiguration
  readonly mode: 'full' | 'handshake-only'
  readonly onEvent: (event: TunnelEvent) => void
}) => Promise<Tunnel>
