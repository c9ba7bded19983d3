import type { Reporter } from '../reporter'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { StoredFileFacts } from '../../contract/attachments'
import type { InstancePortal } from './instance-portal'
import { AttachmentTransfers } from '../services/attachments/attachment-transfers'
import type { AttachmentsClient } from '../services/attachments/attachments-client'
import type { ContentClient } from '../services/news/content-client'
import { ContentImages } from '../services/news/content-images'
import type { FileTransport } from '../platform/http/file-transport'
import type { HttpClient } from '../platform/http/http-client'
import type { EndpointsCache } from '../portal/discovery/endpoints-cache'
import type { ForgetRegistry } from '../portal/instance/forget-registry'
import type { Instance, ServiceAddresses } from '../portal/instance/instance'
import type { InstanceList } from '../portal/instance/instance-list'
import { lazy } from './lazy'
import { OrganizationCredentials } from '../services/organizations/organization-credentials'
import type { OrganizationsClient } from '../services/organizations/organizations-client'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { createOfflineStore, type OfflineStore } from '../services/offline-cache/offline-store'
import { createCachedReads, cachedEndpoints, type CachedReads } from './cached-reads'
import { type ServiceClients, createServiceClients } from './service-clients'

/** The services around an instance's VPN, with cached reads (docs/services.md). */
export interface PortalServices {
  /** Returns the service addresses that the instance announces. Throws the errors of discovery. */
  offeredServices(instance: Instance, signal?: AbortSignal): Promise<ServiceAddresses>
  /** Returns the last announced service addresses without a request; undefined if unknown. */
  knownServices(instance: Instance): Promise<ServiceAddresses | undefined>
  /** Subscribes to possible changes of `knownServices`; returns a function that unsubscribes. */
  onServicesFound(listener: (instanceId: string) => void): () => void
  /** Returns a client of the attachments service. Throws `attachments/not-offered` and the errors of discovery. */
  attachments(instance: Instance, signal?: AbortSignal): Promise<AttachmentsClient>
  /** Returns the size and the date of an attachment's file as far as its storage reports them (`storedFile`). */
  attachmentFile(instance: Instance, attachmentId: string, signal?: AbortSignal): Promise<StoredFileFacts>
  /** The transfers of all instances. */
  readonly attachmentTransfers: AttachmentTransfers
  /** Returns a client of the organization service. Throws `organizations/not-offered` and the errors of discovery. */
  organizations(instance: Instance, signal?: AbortSignal): Promise<OrganizationsClient>
  /** Returns the store for the organization service's credentials. */
  organizationCredentials(instance: Instance): OrganizationCredentials
  /** Returns a client of the content service. Throws `content/not-offered` and the errors of discovery. */
  content(instance: Instance, signal?: AbortSignal): Promise<ContentClient>
  /** The pictures of news, by ids for the window. */
  readonly contentImages: ContentImages
  /** Reads of these services and of the VPN's lists, which fall back on cached answers (docs/offline.md). */
  readonly read: CachedReads
}

export interface PortalServicesOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly http: HttpClient
  readonly transport: FileTransport
  readonly cache: EndpointsCache
  readonly instances: InstanceList
  readonly secretStore: SecretStore
  readonly forgets: ForgetRegistry
  /** What belongs to the person of a login, which another person's login ends. */
  readonly personForgets: ForgetRegistry
  readonly accessTo: (instance: Instance) => InstancePortal
  readonly reporter: Reporter
  readonly now: () => Date
}

/** Creates the services. `offlineStore` caches answers. */
export function createPortalServices(
  options: PortalServicesOptions,
): PortalServices & { readonly offlineStore: OfflineStore } {
  const { http, transport, cache, secretStore, forgets, personForgets } = options
  const offlineStore = openOfflineStore(options)
  const organizationCredentials = (instance: Instance): OrganizationCredentials =>
    // Cached answers belong to the previous credentials.
    new OrganizationCredentials(secretStore, instance.id, () => offlineStore.forget(instance.id))
  const clients = createServiceClients({ ...options, credentials: organizationCredentials })
  const attachmentTransfers = createTransfers(options, clients)
  for (const registry of [forgets, personForgets]) {
    registry.add('secrets', (instance) => organizationCredentials(instance).remove())
    registry.add('work', ({ id }) => attachmentTransfers.forgetInstance(id))
  }
  const fetchImage = lazy(async () =>
    (await import('../services/news/fetch-image')).createFetchImage({ transport }),
  )
  const { live } = clients

  return {
    offeredServices: async (instance, signal) => (await cache.home(instance, signal)).services,
    knownServices: async (instance) => {
      const stored =
        cache.latest(instance) === undefined ? await cachedEndpoints(offlineStore, instance.id) : undefined
      // Discovery may have finished meanwhile.
      return (cache.latest(instance) ?? stored)?.services
    },
    onServicesFound: (listener) => cache.onFound(listener),
    attachments: (instance, signal) => clients.attachments(instance, live(instance, signal)),
    attachmentFile: async (instance, attachmentId, signal) => {
      const { storedFile } = await import('../services/attachments/stored-file')
      const client = (limit: AbortSignal) => clients.attachments(instance, live(instance, limit))
      return storedFile({ transport, client }, attachmentId, signal)
    },
    attachmentTransfers,
    organizations: (instance, signal) => clients.organizations(instance, live(instance, signal)),
    organizationCredentials,
    contentImages: new ContentImages({
      fetchImage: async (image, signal) => (await fetchImage())(image, signal),
    }),
    content: (instance, signal) => clients.content(instance, live(instance, signal)),
    read: createCachedReads({
      http,
      store: offlineStore,
      endpoints: (instance, signal) => cache.endpoints(instance, signal),
      clients,
    }),
    offlineStore,
  }
}

function openOfflineStore({
  dataDir,
  now,
  reporter,
  forgets,
}: Pick<PortalServicesOptions, 'dataDir' | 'now' | 'reporter' | 'forgets'>): OfflineStore {
  return createOfflineStore({
    folder: join(dataDir, 'seen'),
    now,
    reporter,
    registerForget: (forget) => {
      forgets.add('data', ({ id }) => forget(id))
    },
  })
}

function createTransfers(
  {
    transport,
    instances,
    now,
    reporter,
  }: Pick<PortalServicesOptions, 'transport' | 'instances' | 'now' | 'reporter'>,
  clients: Pick<ServiceClients, 'attachments' | 'live'>,
): AttachmentTransfers {
  return new AttachmentTransfers({
    transport,
    mark: async (path) => {
      const [{ markDownload }, { execa }] = await Promise.all([
        import('../services/attachments/mark-download'),
        import('execa'),
      ])
      const run = (program: string, args: readonly string[]) => execa(program, args, { timeout: 5000 })
      return markDownload(path, { platform: process.platform, now: Date.now, run })
    },
    client: async (instanceId) => {
      const instance = await instances.find(instanceId)
      return clients.attachments(instance, clients.live(instance))
    },
    newId: randomUUID,
    now: () => now().getTime(),
    delay: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    reporter,
  })
}
