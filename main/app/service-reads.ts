import { z } from 'zod'
import { serviceNames } from '../../contract/choices'
import type { AttachmentsClient } from '../services/attachments/attachments-client'
import type { ContentClient } from '../services/news/content-client'
import type { HttpClient } from '../platform/http/http-client'
import type { OrganizationsClient } from '../services/organizations/organizations-client'
import type { Endpoints, Instance } from '../portal/instance/instance'
import type { PortalReads } from '../portal/portal'
import { type Seen, readOrRecall } from '../services/offline-cache/read-or-recall'
import type { OfflineStore } from '../services/offline-cache/offline-store'

/** The clients that read, by service. */
export interface ReadingClients {
  readonly attachments: Pick<AttachmentsClient, 'list' | 'forVideo' | 'show'>
  readonly content: Omit<ContentClient, 'reportMisprint'>
  readonly organizations: Pick<OrganizationsClient, 'current' | 'byId' | 'byName' | 'users'>
  readonly vpn: Required<PortalReads>
}

/**
 * Reads whose answers are kept for when the service cannot be reached: they give what it said last then, with its age
 * (docs/offline.md). What is read must not change anything. Each throws what its client throws, and where the
 * service is not offered `<service>/not-offered`.
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

/** What is known of where the services of an instance are. */
export type Places = Pick<Endpoints, 'apiVersion' | 'apiBaseUri' | 'services'>

/** What a client is made with. */
export interface ClientParts {
  readonly http: HttpClient
  readonly places: () => Promise<Places>
  /** False where nothing is sent, so that no token and no credentials are needed. */
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
  // Places kept without it are from before there were other versions.
  apiVersion: z.literal(2).default(2),
  apiBaseUri: address,
  services: z.partialRecord(z.enum(serviceNames), address),
})
const placesName = 'places'

/** What an instance said of its places when somebody was logged in last; undefined where that is not kept. */
export async function recallPlaces(
  store: Pick<OfflineStore, 'recall'>,
  instanceId: string,
): Promise<Places | undefined> {
  const recalled = await store.recall(instanceId, placesName)
  return recalled === undefined ? undefined : keptPlaces.safeParse(parsedJson(recalled.json)).data
}

export function createServiceReads(options: ServiceReadsOptions): ServiceReads {
  const { http, store, clients } = options
  const kept = new Map<string, string>()

  async function livePlaces(instance: Instance, signal: AbortSignal | undefined): Promise<Places> {
    const { apiVersion, apiBaseUri, services } = await options.places(instance, signal)
    const places = { apiVersion, apiBaseUri, services }
    // Who logs out has it forgotten in the store.
    const known = JSON.stringify([store.generation(instance.id), places])
    if (kept.get(instance.id) !== known) {
      kept.set(instance.id, known)
      store.remember(instance.id, placesName, JSON.stringify(places))
    }
    return places
  }

  async function keptPlacesOf(instance: Instance): Promise<Places> {
    // Without them only what the user has set is known.
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

/** Undefined where it is none. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
