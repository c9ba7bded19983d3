import { hasCode } from '../../errors'
import {
  checkedAddress,
  checkedId,
  checkedLogin,
  checkedName,
  checkedRole,
  nameInPath,
} from './checked-request'
import {
  type AddressLine,
  organization,
  type Organization,
  type OrganizationUser,
  type OrganizationUsers,
  organizationUsers,
  type StatusMessage,
} from './organization'
import { type CallOptions, createCaller } from './organizations-call'
import { type OrganizationChanges, type SentOrganization, wholeAddress, withChanges } from './with-changes'

/** Which organization: that of the caller, or the one of this number. */
export type OrganizationPlace = 'current' | { readonly orgId: string }

/**
 * The calls of an organization service (content-and-organization-apis.md, section 4, interface B). What is sent is checked
 * first: `organizations/invalid-request`, with `details.field`. Besides, all throw `organizations/unauthorized`,
 * `organizations/forbidden`, `organizations/not-found`, `organizations/refused`, `organizations/invalid-response`, what
 * HttpClient throws, and where the service wants credentials and the key store cannot be read `secret-store/*`.
 */
export interface OrganizationsClient {
  /** Where the service is, without a final slash. */
  readonly baseUrl: string
  /** Without its address. */
  current(signal?: AbortSignal): Promise<Organization>
  byId(orgId: string, signal?: AbortSignal): Promise<Organization>
  /** Exactly this name. */
  byName(name: string, signal?: AbortSignal): Promise<Organization>
  /** Its number, which is asked for by the name where the server does not say it. Throws `organizations/name-taken`. */
  create(
    entry: Required<Pick<OrganizationChanges, 'name'>> & OrganizationChanges,
  ): Promise<CreatedOrganization>
  /** Reads it first, so that what does not change stays. Throws `organizations/name-taken`. */
  update(place: OrganizationPlace, changes: OrganizationChanges): Promise<StatusMessage>
  remove(orgId: string): Promise<StatusMessage>
  users(place: OrganizationPlace, signal?: AbortSignal): Promise<OrganizationUsers>
  /** Throws `organizations/user-not-found`, `organizations/already-member`. */
  addUser(place: OrganizationPlace, user: NewMember): Promise<StatusMessage>
  /** Throws `organizations/user-not-found`, `organizations/last-administrator`. */
  setRole(place: OrganizationPlace, user: Member, role: string): Promise<StatusMessage>
  /** Throws as `setRole` does. */
  removeUser(place: OrganizationPlace, userId: string): Promise<StatusMessage>
}

export interface NewMember {
  readonly loginOrEmail: string
  readonly role: string
}

/** One who is in the organization already. */
export interface Member {
  readonly userId: string
  /** As the service says it; the list of users is asked for it where it is not known. */
  readonly loginOrEmail?: string
}

export interface CreatedOrganization {
  /** Undefined where the server does not tell, and does not let the caller look. */
  readonly orgId: string | undefined
  readonly message?: string | null | undefined
}

export function createOrganizationsClient(options: CallOptions): OrganizationsClient {
  const caller = createCaller(options)

  const current = (signal?: AbortSignal): Promise<Organization> =>
    caller.read({ path: '/api/org', subject: 'organization', signal }, organization)
  const byId = (orgId: string, signal?: AbortSignal): Promise<Organization> =>
    caller.read(
      { path: `/api/orgs/${checkedId(orgId, 'orgId')}`, subject: 'organization', signal },
      organization,
    )
  const byName = (name: string, signal?: AbortSignal): Promise<Organization> =>
    caller.read({ path: `/api/orgs/name/${nameInPath(name)}`, subject: 'organization', signal }, organization)

  const users = (place: OrganizationPlace, signal?: AbortSignal): Promise<OrganizationUsers> =>
    caller.read({ path: `${pathOf(place)}/users`, subject: 'organization', signal }, organizationUsers)

  /** With its address, where the caller may read that. */
  async function wholeCurrent(addressNeeded: boolean): Promise<Organization> {
    const known = await current()
    if (known.address !== undefined && known.address !== null) return known
    try {
      return await byId(known.id)
    } catch (error) {
      // Without the address in it, an update leaves that as it is.
      if (!addressNeeded && mayNotLook(error)) return known
      throw error
    }
  }

  return {
    baseUrl: options.baseUrl,
    current,
    byId: async (orgId, signal) => byId(orgId, signal),
    byName: async (name, signal) => byName(name, signal),
    create: async ({ name, address }) => {
      const json: SentOrganization = {
        name: checkedName(name),
        address: wholeAddress(checkedAddress(address ?? {})),
      }
      const { orgId, message } = await caller.change({
        method: 'POST',
        path: '/api/orgs',
        json,
        subject: 'organization',
      })
      return { orgId: orgId ?? (await numberOf(json.name)), message }
    },
    update: async (place, changes) => {
      const checked = checkedOrg(changes)
      const read =
        place === 'current' ? await wholeCurrent(checked.address !== undefined) : await byId(place.orgId)
      return caller.change({
        method: 'PUT',
        path: pathOf(place),
        json: withChanges(read, checked),
        subject: 'organization',
      })
    },
    remove: async (orgId) =>
      caller.change({ method: 'DELETE', path: pathOf({ orgId }), subject: 'organization' }),
    users: async (place, signal) => users(place, signal),
    addUser: async (place, { loginOrEmail, role }) =>
      caller.change({
        method: 'POST',
        path: `${pathOf(place)}/users`,
        json: { loginOrEmail: checkedLogin(loginOrEmail), role: checkedRole(role) },
        subject: 'user',
      }),
    setRole: async (place, { userId, loginOrEmail }, role) => {
      const path = userPath(place, userId)
      const checked = checkedRole(role)
      const login = loginOrEmail ?? (await loginOf(place, userId))
      return caller.change({
        // The document's two ways to the same.
        method: place === 'current' ? 'POST' : 'PATCH',
        path,
        json: { ...(login === undefined ? {} : { loginOrEmail: login }), role: checked },
        subject: 'user',
      })
    },
    removeUser: async (place, userId) =>
      caller.change({ method: 'DELETE', path: userPath(place, userId), subject: 'user' }),
  }

  /** Undefined where the caller may not read it; a role can be set all the same. */
  async function loginOf(place: OrganizationPlace, userId: string): Promise<string | undefined> {
    try {
      const user = (await users(place)).users.find((known) => known.userId === userId)
      return user && loginOrEmailOf(user)
    } catch (error) {
      if (mayNotLook(error)) return undefined
      throw error
    }
  }

  async function numberOf(name: string): Promise<string | undefined> {
    try {
      return (await byName(name)).id
    } catch (error) {
      // It was made all the same.
      if (hasCode(error, 'organizations/invalid-request') || mayNotLook(error)) return undefined
      throw error
    }
  }
}

/** Returns what UserRole calls a user by. */
export function loginOrEmailOf({ login, email }: Pick<OrganizationUser, 'login' | 'email'>): string {
  return login === '' ? email : login
}

function pathOf(place: OrganizationPlace): string {
  return place === 'current' ? '/api/org' : `/api/orgs/${checkedId(place.orgId, 'orgId')}`
}

function userPath(place: OrganizationPlace, userId: string): string {
  return `${pathOf(place)}/users/${checkedId(userId, 'userId')}`
}

function checkedOrg({ name, address }: OrganizationChanges): {
  readonly name?: string
  readonly address?: Partial<Record<AddressLine, string>>
} {
  return {
    ...(name === undefined ? {} : { name: checkedName(name) }),
    ...(address === undefined ? {} : { address: checkedAddress(address) }),
  }
}

function mayNotLook(error: unknown): boolean {
  return hasCode(error, 'organizations/unauthorized', 'organizations/forbidden', 'organizations/not-found')
}
