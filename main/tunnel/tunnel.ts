import type { AppsSplit } from '../../contract/apps'
import type {
  ConnectionState,
  ConnectionTarget,
  ReconnectReason,
  RoutesLeft,
  TunnelDetails,
} from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError, type ErrorArguments, hasCode } from '../errors'

export interface Remote {
  readonly host: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
}

/** The data that a portal grants for a tunnel with OpenVPN, including the private key. */
export interface OpenVpnTunnel {
  readonly protocol: 'openvpn'
  /** The profile's configuration as the portal sent it, unchecked. */
  readonly profile: string
  /** PEM X.509 certificate. */
  readonly certificate: string
  /** PEM private key. */
  readonly privateKey: string
}

/** The data that a portal grants for a tunnel with WireGuard, and the private key that this computer made for it. */
export interface WireGuardTunnel {
  readonly protocol: 'wireguard'
  /** `tcp`: through ProxyGuard. */
  readonly transport: 'udp' | 'tcp'
  /** The text as the portal sent it, unchecked. */
  readonly profile: string
  /** The URL of the portal's API, whose text may not lead further inside than the portal itself is. */
  readonly namedBy: string
  /** 32 bytes; the portal's client overwrites them when the configuration is given back or replaced. */
  readonly privateKey: Buffer
}

/** The data that a portal grants for a tunnel, by protocol. */
export type GrantedTunnel = OpenVpnTunnel | WireGuardTunnel

/** A proxy that passes TCP connections on with CONNECT, and is asked without TLS. */
export interface TunnelProxy {
  readonly host: string
  readonly port: number
  readonly credentials?: { readonly user: string; readonly password: string } | undefined
}

export interface TunnelOptions {
  /** `handshake-only` creates no device and no routes, and needs no privilege. */
  readonly mode: 'full' | 'handshake-only'
  /** Use only servers over TCP. */
  readonly preferTcp: boolean
}

export interface StartOptions extends TunnelOptions {
  /** The profile that the tunnel is for. */
  readonly target: ConnectionTarget
  /** Servers to skip, unless none would be left. */
  readonly avoid: readonly Remote[]
  /** Aborts once nobody wants the tunnel any more, also while its program isn't started yet. */
  readonly signal?: AbortSignal | undefined
  readonly onEvent: (event: TunnelEvent) => void
}

/** Opens tunnels of every protocol. */
export interface TunnelBackend {
  /**
   * Opens a tunnel; resolves once its program runs. Throws if the granted data is invalid, before the phase `starting`, and
   * if programs or rights are missing.
   */
  openTunnel(tunnel: GrantedTunnel, options: StartOptions): Promise<Tunnel>
  /**
   * Starts the program of a tunnel that is about to be granted, so that `openTunnel` only has to give it the configuration. Nobody
   * is asked for anything, and nothing changes. Returns a function that ends it, unless `openTunnel` has taken it.
   */
  readonly getReady: (protocol: GrantedTunnel['protocol'], mode: TunnelOptions['mode']) => () => Promise<void>
  /**
   * Returns true if the tunnel differs from what the portal grants now, with all its servers. Throws the same errors as
   * `openTunnel`.
   */
  isOutdated(held: GrantedTunnel, current: GrantedTunnel, options: TunnelOptions): Promise<boolean>
  /** Returns the configuration that `openTunnel` would use, without its secrets. Throws the same errors. */
  describe(tunnel: GrantedTunnel, options: TunnelOptions): Promise<string>
}

/**
 * The phase of a tunnel that is starting; a protocol may skip some. `verifying`: the server proves its identity;
 * `authenticating`: this computer does.
 */
export type TunnelPhase =
  | 'starting'
  | 'resolving'
  | 'contacting'
  | 'verifying'
  | 'authenticating'
  | 'configuring'

/** The phase of a tunnel as the contract names it. */
export type ConnectingPhase = Extract<ConnectionState, { readonly state: 'connecting' }>['phase']

/** An event of a running tunnel, in order. */
export type TunnelEvent =
  | {
      readonly event: 'phase'
      readonly phase: TunnelPhase
      readonly remote?: Remote & { readonly address: string }
    }
  | { readonly event: 'connected'; readonly details: TunnelDetails }
  /**
   * A tunnel that was up is lost, or another attempt to restore it failed, and the backend retries. Not sent between the
   * first attempts.
   */
  | {
      readonly event: 'restarting'
      readonly reason: ReconnectReason
      /** The handshake failed, possibly because the configuration is outdated. */
      readonly handshakeFailed: boolean
      /** Whether the routes of the tunnel still stand. */
      readonly routes: RoutesLeft
    }
  /** The routes of this computer have changed, while the tunnel is up or is being restored. */
  | { readonly event: 'routes'; readonly details: TunnelDetails; readonly routes: RoutesLeft }
  /**
   * During the first attempts: this server refused the connection, and there are others. The backend keeps waiting for it.
   */
  | { readonly event: 'refused'; readonly remote: Remote }
  /**
   * A lost tunnel stands in the way of its own recovery: the next server, or the one that resolves its name, would be reached
   * through it. `tried`: the servers that have not answered.
   */
  | { readonly event: 'stuck'; readonly tried: readonly Remote[] }
  /** No traffic passes through a tunnel that is up, or it passes again. Not sent if traffic passes from the start. */
  | { readonly event: 'passing'; readonly passing: boolean }
  /** The apps that use it, or don't, have changed. */
  | { readonly event: 'apps'; readonly apps: AppsSplit }
  /** A tunnel that is up has new keys; milliseconds since the epoch. */
  | { readonly event: 'handshake'; readonly at: number }
  | { readonly event: 'log'; readonly line: string }

/** The end of a tunnel. `stopped`: stop() was called before a failure. */
export type TunnelEnd =
  | { readonly end: 'stopped' }
  | { readonly end: 'failed'; readonly error: CausewayError }

/** Returns true for the error of a tunnel whose program didn't end, so that the tunnel may still be up. */
export function mayStillBeUp(error: unknown): boolean {
  return hasCode(error, 'helper/failed') && error.variant === 'not-ended'
}

/** A tunnel that is starting or up. */
export interface Tunnel {
  /** Resolves once, after everything is cleaned up; never rejects. */
  readonly ended: Promise<TunnelEnd>
  /**
   * Asks the tunnel to end, and forces it after 5 s; resolves when everything is cleaned up. A kill switch stays: it is
   * lifted when the user disconnects, not when a tunnel is restarted.
   */
  stop(): Promise<void>
  /** Tells the tunnel that routes of this computer have changed, so that it reads them and reports `routes`. */
  routesChanged?(): void
  /**
   * Looks for the server again at once, after a change of network or because the user asks for it, and keeps device and
   * routes; reports `connected` when the server has answered. Absent for tunnels that must be restarted for that.
   */
  recover?(): void
  /** Makes no attempts while there is no network, until `recover`. Present with `recover`. */
  pause?(): void
}

/**
 * The class of a tunnel's failure:
 * - `retry`: it may succeed later.
 * - `refused`: the server accepted the credentials but refuses the connection; the portal knows more.
 * - `credentials`: the server rejects the credentials; new ones may help.
 * - `unverified`: the server could not prove its identity; another configuration may help.
 * - `silent`: there is no answer at all: the server is down or no longer knows the credentials, or the network blocks the
 *   transport. It may succeed later.
 * - `blocked`: the network seems to block the transport; final unless there is another one.
 *
 * Every other error of a tunnel needs a decision of the user.
 */
export type FailureClass = 'retry' | 'refused' | 'credentials' | 'unverified' | 'silent' | 'blocked'

/** A failure that may not be final. */
export class TunnelFailure extends CausewayError {
  readonly failureClass: FailureClass
  /** The reason that the next attempt reports. */
  readonly reason: ReconnectReason

  constructor(
    classed: { readonly failureClass: FailureClass; readonly reason: ReconnectReason },
    code: `${'openvpn' | 'wireguard' | 'proxyguard'}/${string}` & ErrorCode,
    details?: Readonly<Record<string, unknown>>,
  ) {
    super(...([code, { details }] as ErrorArguments))
    this.failureClass = classed.failureClass
    this.reason = classed.reason
  }
}

/** Returns true for a tunnel's failure of this class. */
export function isFailure(error: unknown, failureClass: FailureClass): error is TunnelFailure {
  return error instanceof TunnelFailure && error.failureClass === failureClass
}
