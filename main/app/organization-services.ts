import type { Settings } from '../../contract/settings'
import { brand, type Brand } from '../brand'
import { CausewayError } from '../errors'
import type { SecretStore } from '../platform/secret-store/secret-store'
import type { EndpointsCache } from '../portal/discovery/endpoints-cache'
import { parseAddress } from '../portal/instance/address'
import type { ChosenOrganization, Instance } from '../portal/instance/instance'
import type { InstanceList, NewInstance } from '../portal/instance/instance-list'
import { forgetKeyPair } from '../portal/open-portal'
import type { OrganizationDirectory } from '../portal/organization-list/organization-directory'
import type { ConfiguredSource } from '../platform/signed-list/source'
import type { InstancePortal } from './instance-portal'

/** The instances that come from lists of organizations. */
export interface OrganizationServices {
  /**
   * Adds the instance of an organization in the lists, at a location if it has several. A login there for another
   * organization is ended. Throws like OrganizationDirectory.choose and `addInstance`, and
   * `organization-list/one-at-a-time` for a second home of secure internet.
   */
  addOrganization(
    entry: { readonly id: string; readonly location?: string } & Pick<NewInstance, 'clientId' | 'apiVersion'>,
    signal?: AbortSignal,
  ): Promise<Instance>
  /**
   * Changes the location of an instance, by country or address, after disconnecting from it. Deletes the grants of
   * the previous location. Throws `organization-list/unknown-location`, `usage/unknown-instance`, and as `disconnectFrom`.
   */
  setLocation(instanceId: string, countryOrAddress: string): Promise<Instance>
}

export function createOrganizationServices(options: {
  readonly directory: OrganizationDirectory
  readonly instances: InstanceList
  readonly cache: EndpointsCache
  readonly secretStore: SecretStore
  /** The data of the last answers. */
  readonly offlineStore: { forget(instanceId: string): Promise<void> }
  readonly accessTo: (instance: Instance) => InstancePortal
  readonly disconnectFrom: (instanceId: string) => Promise<unknown>
  /** Resolves when no instance is being removed. */
  readonly removed: () => Promise<unknown>
}): OrganizationServices {
  const { directory, instances, cache, secretStore, offlineStore, accessTo, disconnectFrom, removed } =
    options

  /** Throws `organization-list/one-at-a-time` if another instance is a home of secure internet. */
  async function requireOnlyHome(address: string, organization: ChosenOrganization): Promise<void> {
    if (organization.type !== 'secure_internet') return
    const { id } = parseAddress(address)
    const other = (await instances.all()).find(
      (instance) => instance.id !== id && instance.organization?.type === 'secure_internet',
    )
    if (other !== undefined)
      throw new CausewayError('organization-list/one-at-a-time', { details: { instance: other.id } })
  }

  /** Disconnects and logs out from the same home if it was added for another organization. */
  async function leaveOther(address: string, organization: ChosenOrganization): Promise<void> {
    const { id } = parseAddress(address)
    const present = (await instances.all()).find((instance) => instance.id === id)
    if (present?.organization === undefined || isSameOrganization(present.organization, organization)) return
    await disconnectFrom(id)
    await accessTo(present).session.logOut()
  }

  return {
    addOrganization: async ({ id, location, ...how }, signal) => {
      await removed()
      const { address, organization } = await directory.choose(id, location, signal)
      await requireOnlyHome(address, organization)
      const { apiVersion } = how
      await cache.home({ ...parseAddress(address), apiVersion }, signal)
      await leaveOther(address, organization)
      return instances.add({ address, organization, ...how })
    },
    setLocation: async (instanceId, countryOrAddress) => {
      const instance = await instances.find(instanceId)
      const location = await directory.location(countryOrAddress)
      if (instance.organization?.type !== 'secure_internet') {
        throw new CausewayError('organization-list/unknown-location', {
          variant: 'no-choice',
          details: { instance: instance.id, countries: [] },
        })
      }
      if (instance.organization.location.address === location.address) return instance
      await disconnectFrom(instance.id)
      // Profiles and the key pair are those of the other location; the login and its end are those of the home.
      await forgetKeyPair(secretStore, instance.id)
      await offlineStore.forget(instance.id)
      return instances.setLocation(instance.id, location)
    },
  }
}

/** Returns the address and keys of the lists, each from the first place that sets it: the options, the settings, the build. */
export function configuredSource(
  given: { readonly url?: string; readonly keys?: string } | undefined,
  settings: Settings,
  { discovery }: Pick<Brand, 'discovery'> = brand,
): ConfiguredSource | undefined {
  const url = given?.url ?? (settings.discovery || discovery?.url)
  if (url === undefined || url.trim() === '') return undefined
  return {
    url,
    keys: given?.keys ?? (settings.discoveryKey || (discovery?.keys.join(' ') ?? '')),
    legacy: discovery?.legacy,
  }
}

function isSameOrganization(one: ChosenOrganization, other: ChosenOrganization): boolean {
  if (one.type !== 'secure_internet' || other.type !== 'secure_internet') return one.type === other.type
  return one.orgId === other.orgId
}
