import type { ErrorCode } from '../../contract/error-codes'
import { hasCode } from '../errors'
import type { GrantedTunnel } from '../tunnel/tunnel'

/** A text, or texts by language tag (vpn-application-api.md, section 2, "Localized values"). */
export type LocalizedValue = string | Readonly<Record<string, string>>

export interface Profile {
  readonly profileId: string
  readonly displayName: LocalizedValue
  /** Absent on portals before 2.2.9. */
  readonly defaultGateway?: boolean
}

export interface SystemMessage {
  readonly dateTime: Date
  readonly message: LocalizedValue
  readonly type: string
}

/** Which of its servers a portal of version 2 names: 0, 1 or 2 as in vpn-application-api.md, section 4. */
export type RemoteStrategy = 0 | 1 | 2

/** What a person wants of a connection, as far as the portal can decide it. */
export interface Wanted {
  readonly remoteStrategy: RemoteStrategy | undefined
}

/** From when until when a login gives access, as far as is known. */
export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** What a portal grants for one profile. All methods throw what Portal.connect throws. */
export interface Grant {
  readonly tunnel: GrantedTunnel
  readonly validUntil: Date
  /** Its credentials were made just now: where a server rejects them, others will not help. */
  readonly isNew: boolean
  /**
   * Asks whether the portal still accepts it. Returns this grant where it does, and the one in its place where another
   * process has got one; undefined where a new one is to be made.
   */
  check(signal: AbortSignal): Promise<Grant | undefined>
  /** The same with new credentials. */
  renew(signal: AbortSignal): Promise<Grant>
  /** The same credentials with what the portal gives for the profile now, with all of its servers. */
  refresh(signal: AbortSignal): Promise<Grant>
}

/** The calls of a portal that change nothing. */
export interface PortalReads {
  profiles(signal?: AbortSignal): Promise<Profile[]>
  /** Absent where the API has none. */
  messages?(signal?: AbortSignal): Promise<SystemMessage[]>
}

/**
 * The VPN of one instance, whatever the version of its API; with the login there is.
 *
 * Each call throws `oauth/login-required` (401: the tokens are gone by then), `vpn-api/refused`, `vpn-api/server-error`,
 * `vpn-api/invalid-response`, and what HttpClient and TokenSession throw.
 */
export interface Portal extends PortalReads {
  /** Also throws `vpn-api/profile-unavailable`, `certificate/*`, `clock/wrong` and `secret-store/*`. */
  connect(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<Grant>
  /** Gives back what was granted, after the user has ended the tunnel. Never throws. Absent where nobody need be told. */
  disconnect?(): Promise<void>
  /**
   * To be called after a new login: gets at once what it gives access with, so that its end is known before the next
   * connection. Absent where only connecting tells. Throws what `connect` throws.
   */
  begin?(signal?: AbortSignal): Promise<void>
}

const decisions: readonly ErrorCode[] = ['certificate/refused', 'vpn-api/profile-unavailable']

/** Whether an error is what a portal has decided, so that no further attempt changes it. */
export function isDecision(error: unknown): boolean {
  return hasCode(error, ...decisions)
}
