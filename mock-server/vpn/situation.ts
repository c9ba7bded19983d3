import { z } from 'zod'
import { newestPortal3, portal3Versions } from './portal-version'
import type { ListedProfile3, Profile, ShownMessage } from './profile'
import type { ProfileConfig } from './profile-config'
import type { Remote } from './remotes'

export const wellKnown = '/.well-known/vpn-user-portal'
/** The places of the discovery document, and that to which it redirects. */
export const infoPlaces = ['/info.json', '//info.json', wellKnown]
export const movedTo = '/discovery/info.json'
export const infoPaths = [...infoPlaces, movedTo]
/** The paths of the portal, without those of the other services. */
export const portalPaths = [...infoPaths, '/oauth/*', '/api/vpn/*', '/api/v3/*']

export const offeredApis = ['2', '3', '2,3'] as const
export type OfferedApi = (typeof offeredApis)[number]

/** The settings of the portal, which control calls change until a reset. */
export const portalSettings = z.strictObject({
  api: z.enum(offeredApis).describe('The versions of the API that the portal offers'),
  portalVersion: z.enum(portal3Versions).describe('The simulated portal version for version 3'),
  maxConfigurations: z.int().min(0).max(1000).describe('For each user; 0 refuses /connect with 403'),
  deleteAuthorizationOnDisconnect: z.boolean().describe('/disconnect ends the login as well'),
})
export type PortalSettings = z.infer<typeof portalSettings>

export const usualSettings: PortalSettings = {
  api: '2',
  portalVersion: newestPortal3,
  maxConfigurations: 3,
  deleteAuthorizationOnDisconnect: false,
}

const on = z.literal(true).exactOptional()

export const situationFlags = z.strictObject({
  refusesProfiles: on,
  knowsNoClient: on,
  /** The authorization endpoint shows a sign-in page for every request, and checks nothing. */
  signsInFirst: on,
  /** create_keypair returns a private key that doesn't match its certificate. */
  mixesKeyPairs: on,
  /** Makes answers longer than any client should read. */
  isOversized: on,
  offersApi: z.enum(offeredApis).exactOptional(),
})

/** The current faults, set by a scenario. They don't change data stored by clients or control calls. */
export interface Situation extends z.infer<typeof situationFlags>, z.infer<typeof situation3Flags> {
  /** Replace the stored profiles and messages. */
  profiles?: Profile[]
  systemMessages?: ShownMessage[]
  changeRemotes?: (remotes: Remote[]) => Remote[]
  changeConfig?: (config: ProfileConfig, profileId: string) => ProfileConfig
  changeInfo?: (profiles: ListedProfile3[]) => object[]
  changeConnect?: (answer: ConnectAnswer) => ConnectAnswer
}

export interface ConnectAnswer {
  contentType: string
  /** The header Expires: a string for an invalid date, absent to omit the header. */
  expires?: Date | string
  body: string
}

export const situation3Flags = z.strictObject({
  /** Refuses `/connect`, after its side effects. */
  refusesConnect: z
    .strictObject({ status: z.literal([403, 404, 406, 500]), error: z.string() })
    .exactOptional(),
  maxConfigurations: z.int().exactOptional(),
  deletesAuthorizationOnDisconnect: on,
})
