import type { CertificateReason } from './certificate-authority'
import type { Profile, ShownMessage } from './profile'
import type { ProfileConfig } from './profile-config'
import type { Remote } from './remotes'

/** What goes wrong now. A scenario sets it; nothing in it touches what clients or control calls have stored. */
export interface Situation {
  /** Shown instead of those that were set. */
  profiles?: Profile[]
  systemMessages?: ShownMessage[]
  /** The remotes that a configuration gets instead of these. */
  changeRemotes?: (remotes: Remote[]) => Remote[]
  /** The answer of profile_config instead of this configuration. */
  changeConfig?: (config: ProfileConfig, profileId: string) => ProfileConfig
  /** Profiles are listed, and their configuration is refused. */
  refusesProfiles?: true
  /** No client is registered any more. */
  knowsNoClient?: true
  /** create_keypair gives a key that does not belong to its certificate. */
  mixesKeyPairs?: true
  /** Answers are longer than any client should read. */
  isOversized?: true
}

/** The reasons for which OpenVPN itself refuses a certificate; for the others its hooks do, which ask the portal. */
export const refusedInHandshake: ReadonlySet<CertificateReason> = new Set([
  'certificate_not_yet_valid',
  'certificate_expired',
])

/** Certificates that are good and called bad. */
export interface Distrust {
  reason: CertificateReason
  /** The common names that it is about; of all, later ones too, when it is left out. */
  names?: ReadonlySet<string>
}
