import type { OrganizationAddress, OrganizationPlace } from '../../../contract/organizations'
import { CausewayError, hasCode } from '../../errors'
import {
  checkedAddress,
  checkedId,
  checkedLogin,
  checkedName,
  checkedRole,
  nameInPath,
} from './checked-request'
import {
  organization,
  type Organization,
  type OrganizationUsers,
  organizationUsers,
  type StatusMessage,
} from './organization'
import { loginOrEmailOf } from './login-or-email'
import { type CallOptions, createCaller } from './organizations-call'
import { type OrganizationChanges, type SentOrganization, wholeAddress, withChanges } from './with-changes'

/**
 * The calls of an organization service (content-and-organization-apis.md, section 4, interface B). Each throws
 * `organizations/invalid-request` with `details.field` before sending, `organizations/unauthorized`,
 * `organizations/forbidden`, `organizations/not-found`, `organizations/refused`, `organizations/invalid-response`, the
 * errors of HttpClient, and `secret-store/*` if the service requires credentials and the key store cannot be read.
 */
export interface OrganizationsClient {
  /** The service's base address, without a final slash. */
  readonly baseUrl: string
  /** Returns the caller's organization without its address. */
  current(signal?: AbortSignal): Promise<Organization>
  byId(orgId: string, signal?: AbortSignal): Promise<Organization>
  /** Returns the organization with exactly this name. */
  byName(name: string, signal?: AbortSignal): Promise<Organization>
  /**
   * Creates an organization, and looks up its id by name if the server does not send it. Throws `organizations/name-taken`.
   */
  create(
    entry: Required<Pick<OrganizationChanges, 'name'>> & OrganizationChanges,
  ): Promise<CreatedOrganization>
  /** Updates an organization after reading it, so that other fields stay. Throws `organizations/name-taken`. */
  update(place: OrganizationPlace, changes: OrganizationChanges): Promise<StatusMessage>
  remove(orgId: string): Promise<StatusMessage>
  users(place: OrganizationPlace, signal?: AbortSignal): Promise<OrganizationUsers>
  /** Adds a user. Throws `organizations/user-not-found`, `organizations/already-member`. */
  addUser(place: OrganizationPlace, user: NewMember): Promise<StatusMessage>
  /** Changes a role. Throws `organizations/user-not-found`, `organizations/last-administrator`. */
  setRole(place: OrganizationPlace, user: Member, role: string): Promise<StatusMessage>
  /** Removes a user. Throws the same errors as `setRole`. */
  removeUser(place: OrganizationPlace, userId: string): Promise<StatusMessage>
}

interface NewMember {
  readonly loginOrEmail: string
  readonly role: string
}

/** A user who is a member already. */
export interface Member {
  readonly userId: string
  /** As the service sends it; looked up in the list of users if missing. */
  readonly loginOrEmail?: string
}

interface CreatedOrganization {
  /** Undefined if the server does not send it, and it could not be looked up. */
  readonly orgId: string | undefined
  readonly message?: string | null | undefined
}

export function createOrganizationsClient(options: CallOptions): OrganizationsClient {
  const caller = createCaller(options)

  const { current, byId, byName, users, wholeCurrent, loginOf, numberOf } = organizationReads(caller)
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
        // The document has a different method for each path.
        method: place === 'current' ? 'POST' : 'PATCH',
        path,
        json: { loginOrEmail: login, role: checked },
        subject: 'user',
      })
    },
    removeUser: async (place, userId) =>
      caller.change({ method: 'DELETE', path: userPath(place, userId), subject: 'user' }),
  }
}

/** Returns the reads of the service, and those that a change needs besides. */
function organizationReads(caller: Pick<ReturnType<typeof createCaller>, 'read'>) {
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

  /** Reads the current organization with its address, if the caller may read that. */
  async function wholeCurrent(addressNeeded: boolean): Promise<Organization> {
    const known = await current()
    if (known.address !== undefined && known.address !== null) return known
    try {
      return await byId(known.id)
    } catch (error) {
      // An update without an address leaves the address unchanged.
      if (!addressNeeded && mayNotLook(error)) return known
      throw error
    }
  }

  /** Returns undefined if the caller may not list users; the role can be set without it. */
  async function loginOf(place: OrganizationPlace, userId: string): Promise<string | undefined> {
    try {
      const user = (await users(place)).items.find((known) => known.userId === userId)
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
      // The organization was created nevertheless: an error would make the person create it again.
      if (error instanceof CausewayError) return undefined
      throw error
    }
  }

  return { current, byId, byName, users, wholeCurrent, loginOf, numberOf }
}

function pathOf(place: OrganizationPlace): string {
  return place === 'current' ? '/api/org' : `/api/orgs/${checkedId(place.orgId, 'orgId')}`
}

function userPath(place: OrganizationPlace, userId: string): string {
  return `${pathOf(place)}/users/${checkedId(userId, 'userId')}`
}

function checkedOrg({ name, address }: OrganizationChanges): {
  readonly name?: string
  readonly address?: OrganizationAddress
} {
  return {
    name: name === undefined ? undefined : checkedName(name),
    address: address && checkedAddress(address),
  }
}

function mayNotLook(error: unknown): boolean {
  return hasCode(error, 'organizations/unauthorized', 'organizations/forbidden', 'organizations/not-found')
}
