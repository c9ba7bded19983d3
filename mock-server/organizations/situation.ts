import type { Organization, Role } from './organization'

/** What scenarios and control calls bend, until all is well again or the mock ends. It says nothing of what clients did. */
export interface Situation {
  /** What the caller may do: below Admin only reading. */
  callerRole: Role
  /** Nobody is let in, whatever they send. */
  isSignedOut: boolean
  /** Whatever name a client gives, another organization has it. */
  isEveryNameTaken: boolean
  /** Whoever is to be changed or removed was removed by somebody else before. */
  isEveryUserGone: boolean
  statusMessages: 'full' | 'string-ids' | 'empty'
  /** `bad` has two records among the users that are none. */
  orgUsers: 'full' | 'bare' | 'bad'
  /** Bodies have all fields of the document, and no others. */
  areBodiesStrict: boolean
  /** All ids of answers are texts. */
  areIdsTexts: boolean
  /** A token is not taken below /api/orgs, only a user name and password. */
  isBasicForOrgs: boolean
  /** Organizations that look other than they are, by id; null is one that cannot be seen. */
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
