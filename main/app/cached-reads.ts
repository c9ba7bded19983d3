import { parseJson } from '../json'
import { z } from 'zod'
import { apiVersions, serviceNames } from '../../contract/choices'
import type { AttachmentsClient } from '../services/attachments/attachments-client'
import type { ContentClient } from '../services/news/content-client'
import type { HttpClient } from '../platform/http/http-client'
import type { OrganizationsClient } from '../services/organizations/organizations-client'
import type { Endpoints, Instance } from '../portal/instance/instance'
import type { PortalReads } from '../portal/portal'
import { endpointsName } from '../services/offline-cache/answer-path'
import { type MaybeCached, readOrCached, readCached } from '../services/offline-cache/read-or-cached'
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
export type CachedReads = {
  readonly [Name in keyof ReadingClients]: CachedRead<ReadingClients[Name]>
}

interface CachedRead<Client> {
  <T>(instance: Instance, read: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<MaybeCached<T>>
  /** Returns the last answer without a request; undefined if there is none. */
  cached<T>(instance: Instance, read: (client: Client) => Promise<T>): Promise<T | undefined>
}

type MakeClient<Client> = (instance: Instance, parts: ClientParts) => Client | Promise<Client>

/** The endpoints of an instance that clients need. */
export type ClientEndpoints = Pick<
  Endpoints,
  'apiVersion' | 'apiBaseUri' | 'messagesBaseUri' | 'loginElsewhere' | 'services'
>

/** Parameters for a client. */
export interface ClientParts {
  readonly http: HttpClient
  readonly endpoints: () => Promise<ClientEndpoints>
  /** False if nothing is sent, so no token and no credentials are needed. */
  readonly live: boolean
}

export interface CachedReadsOptions {
  readonly http: HttpClient
  readonly store: OfflineStore
  readonly endpoints: (instance: Instance, signal?: AbortSignal) => Promise<ClientEndpoints>
  readonly clients: { readonly [Name in keyof ReadingClients]: MakeClient<ReadingClients[Name]> }
}

const address = z.string().refine((text) => URL.canParse(text))
const cachedEndpointsSchema: z.ZodType<ClientEndpoints> = z.object({
  apiVersion: z.literal(apiVersions),
  apiBaseUri: address,
  messagesBaseUri: address.exactOptional(),
  services: z.partialRecord(z.enum(serviceNames), address),
})

/** Returns the stored endpoints of an instance, if there are any. */
export async function cachedEndpoints(
  store: Pick<OfflineStore, 'find'>,
  instanceId: string,
): Promise<ClientEndpoints | undefined> {
  const stored = await store.find(instanceId, endpointsName)
  return stored === undefined ? undefined : cachedEndpointsSchema.safeParse(parseJson(stored.json)).data
}

export function createCachedReads(options: CachedReadsOptions): CachedReads {
  const { http, store, clients } = options

  async function liveEndpoints(
    instance: Instance,
    signal: AbortSignal | undefined,
  ): Promise<ClientEndpoints> {
    const generation = store.generation(instance.id)
    const since = store.lastForget()
    const found = await options.endpoints(instance, signal)
    const { loginElsewhere, apiVersion, apiBaseUri, messagesBaseUri, services } = found
    const endpoints = { apiVersion, apiBaseUri, messagesBaseUri, services }
    // Each time: another process may have removed the stored ones by logging out, or an earlier write may have failed.
    if (store.generation(instance.id) === generation)
      store.remember(instance.id, endpointsName, JSON.stringify(endpoints), { unlessStored: true, since })
    return loginElsewhere === true ? { ...endpoints, loginElsewhere } : endpoints
  }

  async function cachedEndpointsOf(instance: Instance): Promise<ClientEndpoints> {
    // Without stored endpoints, only the user's settings apply.
    return (
      (await cachedEndpoints(store, instance.id)) ?? {
        apiVersion: 2,
        apiBaseUri: instance.address,
        services: {},
      }
    )
  }

  function reads<Client>(make: MakeClient<Client>): CachedRead<Client> {
    const readWith = async <T>(
      instance: Instance,
      read: (client: Client) => Promise<T>,
      fromCache: HttpClient,
    ): Promise<T> => {
      const cached = { endpoints: () => cachedEndpointsOf(instance), live: false }
      return read(await make(instance, { ...cached, http: fromCache }))
    }
    const cachedRead = <T>(
      instance: Instance,
      read: (client: Client) => Promise<T>,
      signal?: AbortSignal,
    ): Promise<MaybeCached<T>> => {
      const live = { endpoints: () => liveEndpoints(instance, signal), live: true }
      return readOrCached(
        { http, store, instanceId: instance.id },
        async (recording) => read(await make(instance, { ...live, http: recording })),
        (fromCache) => readWith(instance, read, fromCache),
      )
    }
    return Object.assign(cachedRead, {
      cached: <T>(instance: Instance, read: (client: Client) => Promise<T>) =>
        readCached({ store, instanceId: instance.id }, (fromCache) => readWith(instance, read, fromCache)),
    })
  }

  return {
    attachments: reads(clients.attachments),
    content: reads(clients.content),
    organizations: reads(clients.organizations),
    vpn: reads(clients.vpn),
  }
}
