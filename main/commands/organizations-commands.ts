import { addressLines } from '../../contract/choices'
import type { organizationsCommands } from '../../contract/commands'
import type {
  OrganizationAddress,
  OrganizationCredential,
  OrganizationCredentialsItem,
  OrganizationItem,
  OrganizationPlace,
  OrganizationUserItem,
  WhichOrganization,
} from '../../contract/organizations'
import { windowLine } from '../../contract/safe-text'
import type { Services } from '../app/services'
import { answerOf, type MaybeCached } from '../services/offline-cache/read-or-cached'
import { findMember, findOrganization, placeOf } from '../services/organizations/find-organization'
import type { Organization, OrganizationUser } from '../services/organizations/organization'
import type { CredentialKind } from '../services/organizations/organization-credentials'
import type { InstanceOf } from './face'
import { voidHandler, type SharedHandlers, handler } from './handler'

interface OfInstance {
  readonly instanceId: string
}
/** A terminal also takes names: of an organization, and of a user by login or e-mail address. */
interface OfPlace extends OfInstance {
  readonly place: OrganizationPlace | { readonly name: string }
}
type OfUser = OfPlace & ({ readonly userId: string } | { readonly user: string })

type OrganizationsServices = Pick<
  Services,
  'read' | 'organizations' | 'organizationCredentials' | 'secretsFile'
>

/** Returns the handlers of the organization commands. They throw the errors of the services. */
export function organizationsHandlers(services: OrganizationsServices, instanceOf: InstanceOf) {
  const find = organizationFinder(services, instanceOf)
  return {
    ...readingHandlers(services, instanceOf),
    ...changingHandlers(find),
    ...credentialsHandlers(services, find, instanceOf),
  } satisfies SharedHandlers<keyof typeof organizationsCommands>
}

type Finder = ReturnType<typeof organizationFinder>

function organizationFinder(services: Pick<Services, 'organizations'>, instanceOf: InstanceOf) {
  const clientOf = async ({ instanceId }: OfInstance, signal?: AbortSignal) =>
    services.organizations(await instanceOf(instanceId), signal)
  const atPlace = async ({ place, ...of }: OfPlace, signal?: AbortSignal) => {
    const client = await clientOf(of, signal)
    return { client, place: await placeOf(client, place, signal) }
  }
  const ofUser = async (input: OfUser, signal?: AbortSignal) => {
    const { client, place } = await atPlace(input, signal)
    const named = 'user' in input ? input.user : input.userId
    return { client, place, member: await findMember(client, place, named, signal) }
  }
  return { clientOf, atPlace, ofUser }
}

function readingHandlers(services: Pick<Services, 'read'>, instanceOf: InstanceOf) {
  return {
    showOrganization: handler(
      async ({ instanceId, which }: OfInstance & { readonly which: WhichOrganization }, signal) =>
        services.read.organizations(
          await instanceOf(instanceId),
          (client) => findOrganization(client, which, signal),
          signal,
        ),
      (seen) => answer(seen, shownOrganization),
    ),
    listOrganizationUsers: handler(
      async ({ instanceId, place }: OfPlace, signal) =>
        services.read.organizations(
          await instanceOf(instanceId),
          async (client) => client.users(await placeOf(client, place, signal), signal),
          signal,
        ),
      (seen) => answer(seen, ({ items, unreadable }) => ({ users: items.map(shownUser), unreadable })),
    ),
  }
}

function changingHandlers({ clientOf, atPlace, ofUser }: Finder) {
  return {
    createOrganization: handler(
      async (
        {
          name,
          address,
          ...of
        }: OfInstance & { readonly name: string; readonly address?: OrganizationAddress },
        signal,
      ) => (await clientOf(of, signal)).create({ name, address }),
      ({ orgId }) => ({ orgId }),
    ),
    updateOrganization: voidHandler(
      async (
        {
          name,
          address,
          ...of
        }: OfPlace & { readonly name?: string; readonly address?: OrganizationAddress },
        signal,
      ) => {
        const { client, place } = await atPlace(of, signal)
        return client.update(place, { name, address })
      },
    ),
    deleteOrganization: voidHandler(
      async ({ orgId, ...of }: OfInstance & { readonly orgId: string }, signal) =>
        (await clientOf(of, signal)).remove(orgId),
    ),
    addOrganizationUser: voidHandler(
      async (
        { loginOrEmail, role, ...of }: OfPlace & { readonly loginOrEmail: string; readonly role: string },
        signal,
      ) => {
        const { client, place } = await atPlace(of, signal)
        return client.addUser(place, { loginOrEmail, role })
      },
    ),
    setOrganizationRole: voidHandler(async (input: OfUser & { readonly role: string }, signal) => {
      const { client, place, member } = await ofUser(input, signal)
      return client.setRole(place, member, input.role)
    }),
    removeOrganizationUser: voidHandler(async (input: OfUser, signal) => {
      const { client, place, member } = await ofUser(input, signal)
      return client.removeUser(place, member.userId)
    }),
  }
}

function credentialsHandlers(
  services: Pick<Services, 'organizationCredentials' | 'secretsFile'>,
  { clientOf }: Finder,
  instanceOf: InstanceOf,
) {
  const credentialsOf = async ({ instanceId }: OfInstance) =>
    services.organizationCredentials(await instanceOf(instanceId))
  const described = (kept: Omit<OrganizationCredentialsItem, 'keptIn'>): OrganizationCredentialsItem => ({
    ...kept,
    keptIn: services.secretsFile === undefined ? 'key-store' : 'file',
  })

  return {
    organizationCredentials: handler(
      async (of: OfInstance) => (await credentialsOf(of)).describe(),
      described,
    ),
    setOrganizationCredentials: handler(
      async ({ credential, ...of }: OfInstance & { readonly credential: OrganizationCredential }, signal) => {
        const { baseUrl } = await clientOf(of, signal)
        const stored = await credentialsOf(of)
        await stored.set(credential, baseUrl)
        return stored.describe()
      },
      described,
    ),
    removeOrganizationCredentials: handler(
      async ({ kind, ...of }: OfInstance & { readonly kind?: CredentialKind }) => {
        const stored = await credentialsOf(of)
        await stored.remove(kind)
        return stored.describe()
      },
      described,
    ),
  }
}

function answer<T, Item>(seen: MaybeCached<T>, show: (data: T) => Item) {
  return { ...answerOf(seen), data: show(seen.data) }
}

function shownOrganization({ id, name, address }: Organization): OrganizationItem {
  const item = { orgId: id, name: windowLine(name) }
  if (address === undefined || address === null) return item
  const lines = addressLines.map((line) => [line, windowLine(address[line] ?? '')])
  return { ...item, address: Object.fromEntries(lines) as OrganizationItem['address'] }
}

function shownUser({ userId, login, email, role, lastSeenAt }: OrganizationUser): OrganizationUserItem {
  const time = Date.parse(lastSeenAt ?? '')
  return {
    userId,
    login: windowLine(login),
    email: windowLine(email),
    role: windowLine(role),
    lastSeenAt: Number.isNaN(time) ? undefined : time,
  }
}
