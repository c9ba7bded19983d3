import { z } from 'zod'
import {
  hostileUsers,
  seedCurrentId,
  seedOrganizations,
  seedUsers,
  thousandUsers,
} from '../seed/organizations'
import { Collection, Single } from '../state/collection'
import type { Environment, Part } from '../state/environment'
import { flag, switchDefinitions, Switches } from '../state/switches'
import {
  type Address,
  callerId,
  type Member,
  noAddress,
  type Organization,
  organizationSchema,
  refused,
  type Role,
  roleSchema,
  type User,
  userSchema,
} from './organization'
import { hostileTexts } from '../seed/hostile-texts'

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
type CurrentOrganization = (typeof currentOrganizations)[number]

/** Returns the replacement of an organization, null if it hides it, and the users that the directory needs for it. */
function replacementOf(
  organization: Organization,
  kind: CurrentOrganization,
  now: Date,
): { organization: Organization | null; users?: User[] } {
  const { members } = organization
  const withViewers = (users: User[], changes: Partial<Organization> = {}) => {
    const viewers = users.map(({ id }) => ({ userId: id, role: 'Viewer' as const }))
    return { users, organization: { ...organization, ...changes, members: [...members, ...viewers] } }
  }
  switch (kind) {
    case 'one-administrator': {
      const roleOf = ({ userId, role }: (typeof members)[number]) =>
        userId === callerId ? 'Admin' : role === 'Admin' ? 'Editor' : role
      const changed = members.map((member) => ({ userId: member.userId, role: roleOf(member) }) as const)
      return { organization: { ...organization, members: changed } }
    }
    case 'thousand-users':
      return withViewers(thousandUsers(now))
    case 'hostile-names': {
      const [name = '', address1 = ''] = hostileTexts.organizations
      const city = hostileTexts.organizations[10] ?? ''
      return withViewers(hostileUsers(now), { name, address: { ...organization.address, address1, city } })
    }
    case 'no-users':
      return { organization: { ...organization, members: [] } }
    case 'gone':
      return { organization: null }
  }
}

function withMember(members: Member[], member: Member): Member[] {
  return members.some(({ userId }) => userId === member.userId)
    ? members.map((old) => (old.userId === member.userId ? member : old))
    : [...members, member]
}

const hasAdmin = (members: Member[]) => members.some(({ role }) => role === 'Admin')

/** The organizations and the directory of users. Refused calls throw a Refusal. */
export class OrganizationsService implements Part {
  readonly environment: Environment
  readonly #organizations: Collection<Organization>
  readonly #users: Collection<User>
  readonly #currentId: Single<number>
  readonly #lastId: Single<number>
  readonly switches = new Switches(organizationSwitches)
  /** Replacements of organizations in answers, by id; null hides one. */
  readonly #replaced = new Map<number, Organization | null>()

  constructor(environment: Environment) {
    const { persistence } = environment
    this.environment = environment
    this.#organizations = new Collection(persistence, 'organizations', organizationSchema)
    this.#users = new Collection(persistence, 'organization-users', userSchema)
    this.#currentId = new Single(persistence, 'organization-current', z.int(), seedCurrentId)
    this.#lastId = new Single(persistence, 'organization-last-id', z.int(), 0)
  }

  get currentId(): number {
    return this.#currentId.get()
  }

  /** Throws a Refusal for an unknown organization. */
  set currentId(id: number) {
    this.#currentId.set(this.organization(id).id)
  }

  /** Replaces the current organization in answers, without changing the stored one. */
  replaceCurrent(kind: CurrentOrganization): void {
    const stored = this.#organizations.get(String(this.currentId))
    if (stored === undefined) return
    const { organization, users = [] } = replacementOf(stored, kind, this.environment.clock.now())
    this.addToDirectory(users)
    this.#replaced.set(stored.id, organization)
  }

  list(): Organization[] {
    return this.#organizations
      .values()
      .map(({ id }) => this.#find(id))
      .filter((organization) => organization !== undefined)
      .sort((one, other) => one.id - other.id)
  }

  organization(id: number): Organization {
    const organization = this.#find(id)
    if (organization === undefined) throw refused('organizationNotFound')
    return organization
  }

  organizationNamed(name: string): Organization {
    const organization = this.list().find((known) => known.name === name)
    if (organization === undefined) throw refused('organizationNotFound')
    return organization
  }

  /** Creates an organization with the caller as its administrator. */
  create(name: string, address: Address = noAddress): Organization {
    this.#requireFreeName(name, undefined)
    const id = this.#lastId.get() + 1
    const organization = { id, name, address, members: [{ userId: callerId, role: 'Admin' as const }] }
    this.environment.persistence.together(() => {
      this.#lastId.set(id)
      this.#organizations.set(String(id), organization)
    })
    return organization
  }

  update(id: number, name: string, address: Address | undefined): void {
    this.organization(id)
    this.#requireFreeName(name, id)
    this.#change(id, (old) => ({ ...old, name, address: address ?? old.address }))
  }

  delete(id: number): void {
    this.organization(id)
    if (id === this.currentId) throw refused('currentOrganization')
    this.#organizations.delete(String(id))
  }

  directory(): User[] {
    return this.#users.values().sort((one, other) => one.id - other.id)
  }

  membersOf(organization: Organization): { user: User; role: Role }[] {
    return organization.members.map(({ userId, role }) => {
      const user = this.#users.get(String(userId))
      if (user === undefined)
        throw new Error(`The directory has no user ${userId}, a member of an organization.`)
      return { user, role }
    })
  }

  /** Adds users to the directory; those with a known id are replaced. */
  addToDirectory(users: User[]): void {
    this.environment.persistence.together(() => {
      for (const user of users) this.#users.set(String(user.id), user)
    })
  }

  /** Adds a user of the directory, found by login or e-mail address in any case, to an organization. */
  addMember(id: number, loginOrEmail: string, role: Role): User {
    const { members } = this.organization(id)
    const wanted = loginOrEmail.toLowerCase()
    const user = this.#users
      .values()
      .find(({ login, email }) => login.toLowerCase() === wanted || email.toLowerCase() === wanted)
    if (user === undefined) throw refused('userNotFound')
    if (members.some(({ userId }) => userId === user.id)) throw refused('alreadyMember')
    this.#change(id, (old) => ({ ...old, members: withMember(old.members, { userId: user.id, role }) }))
    return user
  }

  setRole(id: number, userId: number, role: Role): void {
    this.#changeMember(id, userId, (members) =>
      members.map((member) => (member.userId === userId ? { ...member, role } : member)),
    )
  }

  removeMember(id: number, userId: number): void {
    this.#changeMember(id, userId, (members) => members.filter((member) => member.userId !== userId))
  }

  reset(): void {
    this.#organizations.clear()
    this.#users.clear()
    this.addToDirectory(seedUsers(this.environment.clock.now()))
    for (const organization of seedOrganizations) {
      this.#organizations.set(String(organization.id), organization)
    }
    this.#currentId.set(seedCurrentId)
    this.#lastId.set(Math.max(...seedOrganizations.map(({ id }) => id)))
  }

  revertScenario(): void {
    this.switches.revert()
    this.#replaced.clear()
  }

  #find(id: number): Organization | undefined {
    const held = this.#organizations.get(String(id))
    const replaced = this.#replaced.get(id)
    return held === undefined || replaced === undefined ? held : (replaced ?? undefined)
  }

  /** Throws a Refusal if another organization has this name, stored or replaced. */
  #requireFreeName(name: string, id: number | undefined): void {
    const isTaken = [...this.list(), ...this.#organizations.values()].some(
      (other) => other.name === name && other.id !== id,
    )
    if (isTaken || this.switches.values.isEveryNameTaken) throw refused('nameTaken')
  }

  #changeMember(id: number, userId: number, change: (members: Member[]) => Member[]): void {
    const { members } = this.organization(id)
    const isMember = members.some((member) => member.userId === userId)
    if (!isMember || this.switches.values.isEveryUserGone) throw refused('userNotFound')
    if (hasAdmin(members) && !hasAdmin(change(members))) throw refused('lastAdmin')
    this.#change(id, (old) => ({ ...old, members: change(old.members) }))
  }

  /** Changes both the stored organization and its replacement, so that clients' changes outlast the situation. */
  #change(id: number, change: (organization: Organization) => Organization): void {
    const held = this.#organizations.get(String(id))
    if (held !== undefined) this.#organizations.set(String(id), change(held))
    const replaced = this.#replaced.get(id)
    if (replaced) this.#replaced.set(id, change(replaced))
  }
}
