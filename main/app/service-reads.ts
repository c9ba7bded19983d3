import { parseJson } from '../json'
import { z } from 'zod'
import { apiVersions, serviceNames } from '../../contract/choices'
import type { AttachmentsClient } from '../services/attachments/attachments-client'
import type { ContentClient } from '../services/news/content-client'
import type { HttpClient } from '../platform/http/http-client'
import type { OrganizationsClient } from '../services/organizations/organizations-client'
import type { Endpoints, Instance } from '../portal/instance/instance'
import type { PortalReads } from '../portal/portal'
import { type Seen, readOrRecall } from '../services/offline-cache/read-or-recall'
import type { OfflineStore } from '../services/offline-cache/offline-store'

/** Read-only clients by service. */
export interface ReadingClients {
  readonly attachments: Pick<AttachmentsClient, 'list' | 'forVideo' | 'show'>
  readonly content: Omit<ContentClient, 'reportMisprint'>
  readonly organizations: Pick<OrganizationsClient, 'current' | 'byId' | 'byName' | 'users'>
  readonly vpn: PortalReads
}

/**
 * Cached reads: if the service can't be reached, they return its last answer with its time (docs/offline.md). A read must not
 * change anything. Throws the errors of the client, and `<service>/not-offered`.
 */
export type ServiceReads = {
  readonly [Name in keyof ReadingClients]: ServiceRead<ReadingClients[Name]>
}

type ServiceRead<Client> = <T>(
  instance: Instance,
  read: (client: Client) => Promise<T>,
  signal?: AbortSignal,
) => Promise<Seen<T>>

type MakeClient<Client> = (instance: Instance, parts: ClientParts) => Client | Promise<Client>

/** The endpoints of an instance that clients need. */
export type Places = Pick<Endpoints, 'apiVersion' | 'apiBaseUri' | 'services'>

/** Parameters for a client. */
export interface ClientParts {
  readonly http: HttpClient
  readonly places: () => Promise<Places>
  /** False if nothing is sent, so no token and no credentials are needed. */
  readonly live: boolean
}

export interface ServiceReadsOptions {
  readonly http: HttpClient
  readonly store: OfflineStore
  readonly places: (instance: Instance, signal?: AbortSignal) => Promise<Places>
  readonly clients: { readonly [Name in keyof ReadingClients]: MakeClient<ReadingClients[Name]> }
}

const address = z.string().refine((text) => URL.canParse(text))
const keptPlaces: z.ZodType<Places> = z.object({
  // Older Causeway versions didn't store it.
  apiVersion: z.literal(apiVersions).default(2),
  apiBaseUri: address,
  services: z.partialRecord(z.enum(serviceNames), address),
})
const placesName = 'places'

/** Returns the stored endpoints of an instance, if there are any. */
export async function recallPlaces(
  store: Pick<OfflineStore, 'recall'>,
  instanceId: string,
): Promise<Places | undefined> {
  const recalled = await store.recall(instanceId, placesName)
  return recalled === undefined ? undefined : keptPlaces.safeParse(parseJson(recalled.json)).data
}

export function createServiceReads(options: ServiceReadsOptions): ServiceReads {
  const { http, store, clients } = options
  const kept = new Map<string, string>()

  async function livePlaces(instance: Instance, signal: AbortSignal | undefined): Promise<Places> {
    const { apiVersion, apiBaseUri, services } = await options.places(instance, signal)
    const places = { apiVersion, apiBaseUri, services }
    // A logout clears the store, which changes the generation.
    const known = JSON.stringify([store.generation(instance.id), places])
    if (kept.get(instance.id) !== known) {
      kept.set(instance.id, known)
      store.remember(instance.id, placesName, JSON.stringify(places))
    }
    return places
  }

  async function keptPlacesOf(instance: Instance): Promise<Places> {
    // Without stored endpoints, only the user's settings apply.
    return (
      (await recallPlaces(store, instance.id)) ?? {
        apiVersion: 2,
        apiBaseUri: instance.address,
        services: {},
      }
    )
  }

  function reads<Client>(make: MakeClient<Client>): ServiceRead<Client> {
    return (instance, read, signal) => {
      const live = { places: () => livePlaces(instance, signal), live: true }
      const kept = { places: () => keptPlacesOf(instance), live: false }
      return readOrRecall(
        { http, store, instanceId: instance.id },
        async (recording) => read(await make(instance, { ...live, http: recording })),
        async (replaying) => read(await make(instance, { ...kept, http: replaying })),
      )
    }
  }

  return {
    attachments: reads(clients.attachments),
    content: reads(clients.content),
    organizations: reads(clients.organizations),
    vpn: reads(clients.vpn),
  }
}
