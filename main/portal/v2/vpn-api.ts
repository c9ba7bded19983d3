import type { Records } from '../../loose'
import type { Profile, RemoteStrategy, SystemMessage } from '../portal'

export interface IssuedKeyPair {
  /** PEM X.509 certificate. */
  readonly certificate: string
  /** PEM private key. */
  readonly privateKey: string
}

/** `reason` is one of the three documented values, or another one from an older portal. */
export type CertificateCheck =
  | { readonly isValid: true }
  | { readonly isValid: false; readonly reason: string }

/**
 * The five calls of vpn-application-api.md, section 4, for one instance.
 *
 * Each throws `oauth/login-required` (401, after the tokens were deleted), `vpn-api/refused` (`ok: false` or 4xx;
 * `details.error` is the server's text), `vpn-api/server-error` (5xx), `vpn-api/invalid-response`, and what
 * HttpClient and TokenSession throw.
 */
export interface VpnApi {
  profileList(signal?: AbortSignal): Promise<Records<Profile>>
  createKeyPair(displayName: string, signal?: AbortSignal): Promise<IssuedKeyPair>
  /** The configuration as sent, unchecked. Throws `vpn-api/profile-unavailable` where the server says so. */
  profileConfig(profileId: string, remoteStrategy?: RemoteStrategy, signal?: AbortSignal): Promise<string>
  checkCertificate(commonName: string, signal?: AbortSignal): Promise<CertificateCheck>
  systemMessages(signal?: AbortSignal): Promise<Records<SystemMessage>>
}
