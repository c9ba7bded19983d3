import { addressLines } from '../../contract/choices'
import type {
  OrganizationCredentialsItem,
  OrganizationItem,
  OrganizationUserItem,
  organizationsCommands,
  WhichOrganization,
} from '../../contract/organizations'
import { windowLine } from '../../contract/safe-text'
import { CausewayError, hasCode } from '../errors'
import type { CommandHandlers } from './dispatch'
import type { Instance } from '../portal/instance/instance'
import type { Organization, OrganizationUser } from '../services/organizations/organization'
import type { OrganizationsClient } from '../services/organizations/organizations-client'
import { answerOf, type Seen } from '../services/offline-cache/read-or-recall'
import type { ReadingClients } from '../app/cached-reads'
import type { Services } from '../app/services'

type ReadingClient = ReadingClients['organizations']

/** Returns the handlers of the organization commands. They throw the errors of the services. */
export function organizationsCommandHandlers(
  services: Pick<Services, 'read' | 'organizations' | 'organizationCredentials' | 'secretsFile'>,
  instanceOf: (instanceId: string) => Instance,
): CommandHandlers<keyof typeof organizationsCommands> {
  const clientOf = (instanceId: string): Promise<OrganizationsClient> =>
    services.organizations(instanceOf(instanceId))
  const credentialsOf = (instanceId: string) => services.organizationCredentials(instanceOf(instanceId))

  const described = async (kept: ReturnType<typeof credentialsOf>): Promise<OrganizationCredentialsItem> => ({
    ...(await kept.describe()),
    keptIn: services.secretsFile === undefined ? 'key-store' : 'file',
  })

  return {
    showOrganization: async ({ instanceId, which }) =>
      answer(
        await services.read.organizations(instanceOf(instanceId), (client) => find(client, which)),
        shownOrganization,
      ),
    listOrganizationUsers: async ({ instanceId, place }) =>
      answer(
        await services.read.organizations(instanceOf(instanceId), (client) => client.users(place)),
        ({ items, unreadable }) => ({ users: items.map(shownUser), unreadable }),
      ),
    createOrganization: async ({ instanceId, name }) => {
      const { orgId } = await (await clientOf(instanceId)).create({ name })
      return { orgId }
    },
    updateOrganization: async ({ instanceId, place, name, address }) => {
      const client = await clientOf(instanceId)
      await client.update(place, { name, address })
    },
    deleteOrganization: async ({ instanceId, orgId }) => {
      await (await clientOf(instanceId)).remove(orgId)
    },
    addOrganizationUser: async ({ instanceId, place, loginOrEmail, role }) => {
      await (await clientOf(instanceId)).addUser(place, { loginOrEmail, role })
    },
    setOrganizationRole: async ({ instanceId, place, userId, role }) => {
      await (await clientOf(instanceId)).setRole(place, { userId }, role)
    },
    removeOrganizationUser: async ({ instanceId, place, userId }) => {
      await (await clientOf(instanceId)).removeUser(place, userId)
    },
    organizationCredentials: async ({ instanceId }) => described(credentialsOf(instanceId)),
    setOrganizationCredentials: async ({ instanceId, credential }): Promise<OrganizationCredentialsItem> => {
      const { baseUrl } = await clientOf(instanceId)
      const kept = credentialsOf(instanceId)
      await kept.set(credential, baseUrl)
      return described(kept)
    },
    removeOrganizationCredentials: async ({ instanceId }) => {
      const kept = credentialsOf(instanceId)
      await kept.remove()
      return described(kept)
    },
  }
}

async function find(client: ReadingClient, which: WhichOrganization): Promise<Organization> {
  switch (which.by) {
    case 'id':
      return client.byId(which.orgId)
    case 'name':
      return client.byName(which.name)
    case 'current': {
      const current = await client.current()
      return { ...current, address: current.address ?? (await addressOf(client, current)) }
    }
  }
}

/** Returns the address of the organization, or undefined if it can't be read. */
async function addressOf(client: ReadingClient, { id }: Organization): Promise<Organization['address']> {
  try {
    return (await client.byId(id)).address
  } catch (error) {
    if (error instanceof CausewayError && !hasCode(error, 'http/cancelled')) return undefined
    throw error
  }
}

function answer<T, Shown>(seen: Seen<T>, shown: (data: T) => Shown) {
  return { ...answerOf(seen), data: shown(seen.data) }
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
