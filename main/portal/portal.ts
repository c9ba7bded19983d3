import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError, hasCode } from '../errors'
import type { Records } from '../loose'
import type { GrantedTunnel } from '../tunnel/tunnel'

/** A text, or texts by language tag. */
export type LocalizedValue = string | Readonly<Record<string, string>>

/** A VPN protocol that a portal can name. */
export type VpnProtocol = GrantedTunnel['protocol']

export interface Profile {
  readonly profileId: string
  readonly displayName: LocalizedValue
  /** Absent on portals before 2.2.9. */
  readonly defaultGateway?: boolean
  /** Absent in version 2, which has only OpenVPN. */
  readonly protocols?: readonly VpnProtocol[]
  /** The search domains of its network; absent if there are none, or if the portal doesn't say. */
  readonly searchDomains?: readonly string[]
}

/** Returns whether one of the profile's protocols is among those that this computer can run. */
export function isSupported(
  { protocols }: Pick<Profile, 'protocols'>,
  runnable: readonly VpnProtocol[],
): boolean {
  return protocols === undefined || protocols.some((protocol) => runnable.includes(protocol))
}

export interface SystemMessage {
  readonly dateTime: Date
  readonly message: LocalizedValue
  readonly type: string
}

/** The servers that a configuration of version 2 names: 0, 1 or 2 as in vpn-application-api.md, section 4. */
export type RemoteStrategy = 0 | 1 | 2

/** The user's wishes for a connection that the portal decides on. */
export interface Wanted {
  readonly remoteStrategy: RemoteStrategy | undefined
  /** Use TCP only. */
  readonly preferTcp: boolean
  /** Use this protocol only. */
  readonly protocol?: VpnProtocol
  /** Use TCP if the profile has it, because this network was seen to block UDP. */
  readonly tcpFirst?: boolean
  /** The tunnel won't be more than a handshake, which only OpenVPN can make without rights. */
  readonly handshakeOnly?: boolean
  /** Called before the portal is asked for a grant, with the protocol that it will probably have. */
  readonly onAsking?: ((protocol: VpnProtocol) => void) | undefined
}

/** The start and end of the access that a login gives, as far as known. */
export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
  /** A renewal ends the tunnel before the new login. */
  readonly renewalEndsTunnel?: true | undefined
}

/** Access to one profile, granted by a portal. All methods throw what Portal.connect throws. */
export interface Grant {
  readonly tunnel: GrantedTunnel
  readonly validUntil: Date
  /** The credentials are new: if a server rejects them, other new ones won't help. */
  readonly isNew: boolean
  /**
   * Asks the portal about a grant that a server has refused. Returns this grant if the portal accepts it, the grant of
   * another process that has replaced it, or undefined if a new one is needed; `login-accepted` if the portal only
   * tells that the login and the profile are still valid.
   */
  check(signal: AbortSignal): Promise<Grant | 'login-accepted' | undefined>
  /** Returns a grant with new credentials. Also throws `connection/ended-by-service`. */
  renew(signal: AbortSignal): Promise<Grant>
  /**
   * Returns a grant with the same credentials and the portal's current configuration, with all servers. Absent if the
   * portal has one configuration for each grant.
   */
  refresh?(signal: AbortSignal): Promise<Grant>
  /** What takes the place of `refresh` if the portal has one configuration for each grant. */
  readonly reissue?: {
    /** Returns whether a grant may be replaced whose servers have not answered for so long, or are not the profile's. */
    isDue(silentMs: number): boolean
    /** Returns a grant with new credentials, and ends this one. Throws like `renew`. */
    get(signal: AbortSignal): Promise<Grant>
  }
  /**
   * Returns another grant for the same profile over TCP, after the tunnel was ended because the network seems to block UDP.
   * Absent if the profile has no TCP, or this grant is for TCP already. Throws like `renew`.
   */
  overTcp?(signal: AbortSignal): Promise<Grant>
}

/** The calls of a portal that change nothing. */
export interface PortalReads {
  profiles(signal?: AbortSignal): Promise<Records<Profile>>
  /** Absent if the API has no messages. */
  messages?(signal?: AbortSignal): Promise<Records<SystemMessage>>
}

/**
 * The VPN of one instance, for any version of its API, with the current login.
 *
 * Each call throws `oauth/login-required` (the tokens are deleted by then), `service/busy`, `vpn-api/refused`,
 * `vpn-api/server-error`, `vpn-api/invalid-response`, and what HttpClient and TokenSession throw.
 */
export interface Portal extends PortalReads {
  /**
   * Checks that `connect` can succeed, before a running tunnel is ended for it. Absent if a failing `connect` has no
   * effect at the portal. Throws `vpn-api/profile-unavailable`, `vpn-api/protocol-not-supported`,
   * `profile-configuration/no-tcp-remote`, `wireguard/not-available` and `wireguard/not-checked`.
   */
  validate?(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<void>
  /**
   * Also throws `vpn-api/not-allowed`, `vpn-api/profile-unavailable`, `vpn-api/protocol-not-supported`,
   * `certificate/*`, `session/over`, `clock/wrong` and `secret-store/*`.
   */
  connect(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<Grant>
  /**
   * Returns the grant after the user has ended the tunnel. Takes 5 seconds at most and never throws. Absent if the
   * portal needn't know.
   */
  disconnect?(): Promise<void>
  /**
   * Gets the access that a new login gives, so that its end is known before the next connection. Absent if only
   * `connect` tells. Throws what `connect` throws.
   */
  begin?(signal?: AbortSignal): Promise<void>
}

const decisions: readonly ErrorCode[] = [
  'certificate/refused',
  'vpn-api/not-allowed',
  'vpn-api/profile-unavailable',
  'vpn-api/protocol-not-supported',
  'wireguard/not-available',
]

/** Returns whether an error is a portal's decision, which another attempt doesn't change. */
export function isDecision(error: unknown): boolean {
  return hasCode(error, ...decisions)
}

const ends: readonly ErrorCode[] = [
  'oauth/login-required',
  'session/over',
  'connection/ended-by-service',
  'clock/wrong',
  'certificate/clock-mismatch',
  'certificate/invalid',
]
/** Statuses of a portal that is overloaded, or replaced by its proxy's default site during an upgrade. */
const passingStatuses: readonly unknown[] = [404, 408, 425]

/**
 * Returns whether an answer about a grant in use takes it away. A portal that fails, or answers nonsense while it is
 * being upgraded, takes nothing away: ending a connection for that would be final.
 */
export function endsAccess(error: unknown): boolean {
  if (!(error instanceof CausewayError)) return true
  if (hasCode(error, 'vpn-api/refused')) return !passingStatuses.includes(error.details?.status)
  return isDecision(error) || hasCode(error, ...ends)
}
