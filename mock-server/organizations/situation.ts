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
  orgUsers: 'full' | 'bare'
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
  replaced: new Map(),
}
