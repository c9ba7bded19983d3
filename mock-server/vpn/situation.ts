import type { CertificateReason } from './certificate-authority'
import type { Profile, ShownMessage } from './profile'
import type { ProfileConfig } from './profile-config'
import type { Remote } from './remotes'
import type { Situation3 } from './v3/situation'

/** The API versions that a portal can offer. */
export const offeredApis = ['2', '3', '2,3'] as const
export type OfferedApi = (typeof offeredApis)[number]

/** The current faults, set by a scenario. They don't change data stored by clients or control calls. */
export interface Situation {
  /** Replace the stored profiles and messages. */
  profiles?: Profile[]
  systemMessages?: ShownMessage[]
  /** Replaces the remotes of a configuration. */
  changeRemotes?: (remotes: Remote[]) => Remote[]
  /** Replaces the answer of profile_config. */
  changeConfig?: (config: ProfileConfig, profileId: string) => ProfileConfig
  /** Refuses the configurations of listed profiles. */
  refusesProfiles?: true
  /** Treats every client as unregistered. */
  knowsNoClient?: true
  /** The authorization endpoint shows a sign-in page for every request, and checks nothing. */
  signsInFirst?: true
  /** create_keypair returns a private key that doesn't match its certificate. */
  mixesKeyPairs?: true
  /** Makes answers longer than any client should read. */
  isOversized?: true
  /** Replaces the offered API versions. */
  offersApi?: OfferedApi
  version3?: Situation3
}

/** The reasons for which OpenVPN itself refuses a certificate. For all others, its hooks ask the portal. */
export const refusedInHandshake: ReadonlySet<CertificateReason> = new Set([
  'certificate_not_yet_valid',
  'certificate_expired',
])

/** Valid certificates that the portal reports as invalid. */
export interface Distrust {
  reason: CertificateReason
  /** The affected common names; without it, all certificates, including later ones. */
  names?: ReadonlySet<string>
}
