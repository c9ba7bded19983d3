import type { ReconnectReason } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError } from '../errors'

export interface Remote {
  readonly host: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
}

/** What a portal grants for a tunnel with OpenVPN; holds the private key. */
export interface OpenVpnTunnel {
  readonly protocol: 'openvpn'
  /** The profile's configuration as the portal sent it, unchecked. */
  readonly profile: string
  /** PEM X.509 certificate. */
  readonly certificate: string
  /** PEM private key. */
  readonly privateKey: string
}

/** What a portal grants for a tunnel, by protocol. */
export type GrantedTunnel = OpenVpnTunnel

export interface TunnelOptions {
  /** `handshake-only` makes no device and no routes, and needs no privilege. */
  readonly mode: 'full' | 'handshake-only'
  /** Use only servers that are reached over TCP. */
  readonly preferTcp: boolean
}

export interface StartOptions extends TunnelOptions {
  /** Servers to leave out, unless none would be left. */
  readonly avoid: readonly Remote[]
  readonly onEvent: (event: TunnelEvent) => void
}

/** The way to make tunnels of one protocol. */
export interface TunnelBackend<Granted extends GrantedTunnel> {
  /**
   * Resolves once the tunnel is under way. Throws where what was granted cannot be used, before the phase `starting`, and
   * where the programs or rights for it are missing.
   */
  start(tunnel: Granted, options: StartOptions): Promise<Tunnel>
  /** Whether the tunnel held lacks what the portal grants now with all of its servers. Throws as `start` does. */
  isOutdated(held: Granted, current: Granted, options: TunnelOptions): Promise<boolean>
  /** The configuration that `start` would use, without its secrets. Throws as `start` does. */
  describe(tunnel: Granted, options: TunnelOptions): Promise<string>
}

/**
 * Where a tunnel is on its way; a protocol may leave out some. `verifying`: the server proves who it is;
 * `authenticating`: this computer does.
 */
export type TunnelPhase =
  'starting' | 'resolving' | 'contacting' | 'verifying' | 'authenticating' | 'configuring'

/** What happens to a running tunnel, in order. */
export type TunnelEvent =
  | {
      readonly event: 'phase'
      readonly phase: TunnelPhase
      readonly remote?: Remote & { readonly address: string }
    }
  | { readonly event: 'connected'; readonly details: TunnelDetails }
  /**
   * A tunnel that was up is lost, or another attempt to get it back has failed, and the backend tries again. Not said when
   * the first attempts move on.
   */
  | {
      readonly event: 'restarting'
      readonly reason: ReconnectReason
      /** The server and this computer could not agree, which a configuration that is out of date would explain. */
      readonly handshakeFailed: boolean
    }
  /** Of the first attempts: nobody listens at this server, and there are others. The backend goes on waiting for it. */
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
  /** The name of the network device; absent for a handshake-only run. */
  readonly device?: string
  /** The DNS servers of the tunnel, and whether the system uses them now; absent where it has none. */
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

/** One tunnel on its way or up. */
export interface Tunnel {
  /** Settles once, after nothing is left of it; never rejects. */
  readonly ended: Promise<TunnelEnd>
  /**
   * Asks it to end, and makes it after 5 s; resolves when nothing is left of it. A kill switch stays: it is lifted when
   * the user disconnects, and not when a tunnel is started again.
   */
  stop(): Promise<void>
}

/**
 * What a failure of a tunnel calls for:
 * - `retry`: time may mend it.
 * - `refused`: the server took the credentials, and refuses all the same; the portal knows more.
 * - `credentials`: the server does not take the credentials, and others may help.
 * - `unverified`: the server could not prove who it is; another configuration may help.
 *
 * Every other error of a tunnel is for a person to decide.
 */
export type FailureClass = 'retry' | 'refused' | 'credentials' | 'unverified'

/** A failure of a tunnel that is not final by itself. */
export class TunnelFailure extends CausewayError {
  readonly failureClass: FailureClass
  /** What the next attempt is made for. */
  readonly reason: ReconnectReason

  constructor(
    classed: { readonly failureClass: FailureClass; readonly reason: ReconnectReason },
    code: ErrorCode,
    message: string,
    details?: Readonly<Record<string, unknown>>,
  ) {
    super(code, message, details === undefined ? {} : { details })
    this.failureClass = classed.failureClass
    this.reason = classed.reason
  }
}

/** True for a failure of a tunnel of this class. */
export function isFailure(error: unknown, failureClass: FailureClass): error is TunnelFailure {
  return error instanceof TunnelFailure && error.failureClass === failureClass
}
