import type { Organization, Role } from './organization'

/** Deviations that scenarios and control calls create, until all-well or a restart. The stored data is separate. */
export interface Situation {
  /** Role of the caller; below Admin, the caller can only read. */
  callerRole: Role
  /** Every call is answered 401, whatever credentials it has. */
  isSignedOut: boolean
  /** Every name counts as taken. */
  isEveryNameTaken: boolean
  /** Users are listed, but changing or removing them is answered 404. */
  isEveryUserGone: boolean
  statusMessages: 'full' | 'string-ids' | 'empty'
  /** `bad` adds two invalid records to the users. */
  orgUsers: 'full' | 'bare' | 'bad'
  /** Bodies must have all documented fields and no others. */
  areBodiesStrict: boolean
  /** All ids in answers are text. */
  areIdsTexts: boolean
  /** Calls below /api/orgs require the user name and password; tokens are refused. */
  isBasicForOrgs: boolean
  /** Replacements of organizations in answers, by id; null hides one. */
  replaced: ReadonlyMap<number, Organization | null>
}

export const normal: Situation = {
  callerRole: 'Admin',
  isSignedOut: false,
  isEveryNameTaken: false,
  isEveryUserGone: false,
  statusMessages: 'full',
  orgUsers: 'full',
  areBodiesStrict: false,
  areIdsTexts: false,
  isBasicForOrgs: false,
  replaced: new Map(),
}
