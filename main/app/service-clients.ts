import type { HttpClient } from '../platform/http/http-client'
import { retryingHttp } from '../platform/http/retrying-http'
import type { EndpointsCache } from '../portal/discovery/endpoints-cache'
import { findService } from '../portal/discovery/find-service'
import type { Instance } from '../portal/instance/instance'
import type { ApiTokens } from '../portal/oauth/token-session'
import { openPortalReads } from '../portal/open-portal'
import type { PortalReads } from '../portal/portal'
import type { AttachmentsClient } from '../services/attachments/attachments-client'
import type { ContentClient } from '../services/news/content-client'
import type { OrganizationCredentials } from '../services/organizations/organization-credentials'
import type { OrganizationsClient } from '../services/organizations/organizations-client'
import type { ClientParts } from './cached-reads'
import type { InstancePortal } from './instance-portal'

type MakeClient<Client> = (instance: Instance, parts: ClientParts) => Promise<Client>

/** Makes the clients of an instance's services. The code of each is loaded with the first one. */
export interface ServiceClients {
  readonly attachments: MakeClient<AttachmentsClient>
  readonly content: MakeClient<ContentClient>
  readonly organizations: MakeClient<OrganizationsClient>
  readonly vpn: MakeClient<PortalReads>
  /** Returns the parameters for a client whose requests are sent. */
  readonly live: (instance: Instance, signal?: AbortSignal) => ClientParts
}

export function createServiceClients({
  http,
  cache,
  accessTo,
  credentials,
  now,
}: {
  readonly http: HttpClient
  readonly cache: EndpointsCache
  readonly accessTo: (instance: Instance) => InstancePortal
  readonly credentials: (instance: Instance) => OrganizationCredentials
  readonly now: () => Date
}): ServiceClients {
  return {
    attachments: async (instance, { http, endpoints }) => {
      const { createAttachmentsClient } = await import('../services/attachments/create-attachments-client')
      return createAttachmentsClient({
        http,
        baseUrl: await findService(instance, 'attachments', endpoints),
        identity: instance.identity,
        now: () => now().getTime(),
      })
    },
    content: async (instance, { http, endpoints }) => {
      const { createContentClient } = await import('../services/news/content-client')
      return createContentClient({
        http: retryingHttp(http),
        baseUrl: await findService(instance, 'content', endpoints),
      })
    },
    organizations: async (instance, { http, endpoints, live }) => {
      const { createOrganizationsClient } = await import('../services/organizations/organizations-client')
      return createOrganizationsClient({
        http,
        baseUrl: await findService(instance, 'organizations', endpoints),
        authorization: (url, kind) =>
          live ? credentials(instance).authorization(url, kind) : Promise.resolve({}),
      })
    },
    vpn: (instance, { http, endpoints, live }) =>
      openPortalReads({
        http,
        endpoints,
        ...(live
          ? { expireEndpoints: () => cache.expire(instance), settle: () => accessTo(instance).settle() }
          : {}),
        tokens: live ? accessTo(instance).session : noTokens,
      }),
    live: (instance, signal) => ({ http, endpoints: () => cache.endpoints(instance, signal), live: true }),
  }
}

/** Tokens for clients that send nothing. */
const noTokens: ApiTokens = {
  accessToken: () => Promise.resolve(''),
  discardRejected: () => Promise.resolve(),
  expire: () => Promise.resolve(),
  requireVersion: () => Promise.resolve(),
}
