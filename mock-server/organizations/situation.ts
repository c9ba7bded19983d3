import { z } from 'zod'
import { hostileTexts } from '../seed/hostile-texts'
import { hostileUsers, thousandUsers } from '../seed/organizations'
import { flag, switchDefinitions } from '../state/switches'
import { callerId, type Organization, roleSchema, type User } from './organization'

/** Deviations that scenarios and control calls create, until all-well or a restart. The stored data is separate. */
export const organizationSwitches = switchDefinitions({
  callerRole: roleSchema
    .describe('The role of the caller; below Admin, the caller can only read.')
    .default('Admin'),
  isSignedOut: flag('Answers 401 to every call, whatever credentials it has.'),
  isEveryNameTaken: flag('Treats every name as taken.'),
  isEveryUserGone: flag('Lists users, but answers 404 to changing or removing them.'),
  statusMessages: z
    .enum(['full', 'string-ids', 'empty'])
    .describe('The form of StatusMessages.')
    .default('full'),
  orgUsers: z
    .enum(['full', 'bare', 'bad'])
    .describe('The form of users; bad adds two invalid records.')
    .default('full'),
  areBodiesStrict: flag('Bodies must have all documented fields and no others.'),
  areIdsTexts: flag('All ids in answers are text.'),
  isBasicForOrgs: flag('Calls below /api/orgs require the user name and password; tokens are refused.'),
})

export const currentOrganizations = [
  'one-administrator',
  'thousand-users',
  'hostile-names',
  'no-users',
  'gone',
] as const
export type CurrentOrganization = (typeof currentOrganizations)[number]

/** Returns the replacement of an organization, null if it hides it, and the users that the directory needs for it. */
export function replacementOf(
  organization: Organization,
  kind: CurrentOrganization,
  now: Date,
): { organization: Organization | null; users: User[] } {
  const { members } = organization
  const withViewers = (users: User[], changes: Partial<Organization> = {}) => ({
    users,
    organization: {
      ...organization,
      ...changes,
      members: [...members, ...users.map(({ id }) => ({ userId: id, role: 'Viewer' as const }))],
    },
  })
  switch (kind) {
    case 'one-administrator': {
      const roleOf = ({ userId, role }: (typeof members)[number]) =>
        userId === callerId ? 'Admin' : role === 'Admin' ? 'Editor' : role
      const changed = members.map((member) => ({ userId: member.userId, role: roleOf(member) }) as const)
      return { organization: { ...organization, members: changed }, users: [] }
    }
    case 'thousand-users':
      return withViewers(thousandUsers(now))
    case 'hostile-names': {
      const [name = '', address1 = ''] = hostileTexts.organizations
      const city = hostileTexts.organizations[10] ?? ''
      return withViewers(hostileUsers(now), { name, address: { ...organization.address, address1, city } })
    }
    case 'no-users':
      return { organization: { ...organization, members: [] }, users: [] }
    case 'gone':
      return { organization: null, users: [] }
  }
}
