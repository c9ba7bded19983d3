import type { CausewayError } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import type { SecretStore } from '../platform/secret-store/secret-store'
import type { ApiVersion, Endpoints } from './instance/instance'
import type { TokenSession } from './oauth/token-session'
import type { Portal, PortalReads, Validity } from './portal'
import { createVpnApi } from './v2/create-vpn-api'
import { InstanceKeyPairs, type InstanceKeyPairsOptions } from './v2/instance-key-pairs'
import { createKeyPairStore } from './v2/key-pair-store'
import { createPortalV2, readsV2 } from './v2/portal-v2'

export interface PortalReadsParts {
  readonly http: HttpClient
  /** Those of the instance; asked for at every call. */
  readonly endpoints: (signal?: AbortSignal) => Promise<Pick<Endpoints, 'apiVersion' | 'apiBaseUri'>>
  readonly tokens: Pick<TokenSession, 'accessToken' | 'discardRejected'>
}

export interface PortalParts extends PortalReadsParts {
  readonly instanceId: string
  readonly secretStore: SecretStore
  readonly tokens: TokenSession & InstanceKeyPairsOptions['session']
  readonly now: () => Date
  readonly wrongClock: (cause: CausewayError, signal?: AbortSignal) => Promise<CausewayError | undefined>
}

/** How Causeway speaks to one instance's portal, whatever the version of its API. */
export interface PortalAccess {
  /** The portal, by the version that discovery finds. Throws `oauth/login-required`, and what discovery throws. */
  open(signal?: AbortSignal): Promise<Portal>
  /** How long the login gives access, by what is kept of it: asks nobody. Throws `secret-store/*`. */
  validity(): Promise<Validity | undefined>
  /** The certificates of an instance of version 2, which the commands of the terminal show as such. */
  readonly certificates: InstanceKeyPairs
}

export function createPortalAccess(parts: PortalParts): PortalAccess {
  const api = createVpnApi(parts)
  const certificates = new InstanceKeyPairs({ ...parts, session: parts.tokens, api })
  const portals: Record<ApiVersion, () => Portal> = { 2: () => createPortalV2(api, certificates) }
  return {
    open: async (signal) => {
      // Who is not logged in asks nobody.
      await parts.tokens.accessToken(signal)
      const { apiVersion } = await parts.endpoints(signal)
      return portals[apiVersion]()
    },
    validity: () => certificates.load(),
    certificates,
  }
}

const reads: Record<ApiVersion, (parts: PortalReadsParts) => PortalReads> = {
  2: (parts) => readsV2(createVpnApi(parts)),
}

/** The reads of an instance's portal, by the version that discovery finds. Throws as PortalAccess.open. */
export async function openPortalReads(parts: PortalReadsParts): Promise<PortalReads> {
  await parts.tokens.accessToken()
  const { apiVersion } = await parts.endpoints()
  return reads[apiVersion](parts)
}

/** Forgets what is kept of what a portal granted. Throws `secret-store/*`. */
export function forgetGrants(secretStore: SecretStore, instanceId: string): Promise<void> {
  return createKeyPairStore(secretStore, instanceId).forget()
}
