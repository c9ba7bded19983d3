import type { ApiVersion } from '../../contract/choices'
import { CausewayError, hasCode } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import { isGone } from '../platform/http/is-gone'
import { requireTls13 } from '../platform/http/require-tls13'
import type { SecretStore } from '../platform/secret-store/secret-store'
import type { Endpoints, Instance } from './instance/instance'
import { loginRequired } from './oauth/errors'
import type { ApiTokens } from './oauth/token-session'
import type { Portal, PortalReads, Validity } from './portal'
import { createVpnApi } from './v2/create-vpn-api'
import { InstanceKeyPairs, type InstanceKeyPairsOptions } from './v2/instance-key-pairs'
import { createKeyPairStore } from './v2/key-pair-store'
import { createPortalV2, readsV2 } from './v2/portal-v2'
import { type ApiV3, createApiV3 } from './v3/api'
import { createPortalV3, type PortalV3Options, readsV3 } from './v3/portal-v3'
import { createSessionStore, sessionAccount } from './v3/session-store'

interface PortalReadsParts {
  readonly http: HttpClient
  /** The endpoints of the instance; called for every request. */
  readonly endpoints: (
    signal?: AbortSignal,
  ) => Promise<Pick<Endpoints, 'apiVersion' | 'apiBaseUri' | 'messagesBaseUri' | 'loginElsewhere'>>
  /** Called when an address from discovery is gone, so that `endpoints` looks again. */
  readonly expireEndpoints?: () => Promise<void>
  readonly tokens: ApiTokens
}

interface PortalParts
  extends PortalReadsParts, Pick<PortalV3Options, 'reporter' | 'whileDisconnected' | 'delay' | 'runnable'> {
  readonly instance: Instance
  readonly secretStore: SecretStore
  readonly tokens: ApiTokens &
    InstanceKeyPairsOptions['session'] &
    PortalV3Options['session'] & {
      apiVersion(): Promise<ApiVersion | undefined>
      end(): Promise<void>
    }
  readonly now: () => Date
  readonly wrongClock: PortalV3Options['wrongClock']
}

/** Access to the portal of one instance, for any version of its API. */
export interface PortalAccess {
  /**
   * Opens the portal with the API version from discovery. A login that was made with another version ends. Throws
   * `oauth/login-required`, and what discovery throws.
   */
  open(signal?: AbortSignal): Promise<Portal>
  /** Returns how long the login gives access, from stored data, without a request. Throws `secret-store/*`. */
  validity(): Promise<Validity | undefined>
  /** Sends a `/disconnect` that the portal has missed (portal-v3.ts). Never throws. */
  settle(): Promise<void>
  /** Returns true if the login can be renewed while the tunnel is up. Version 3 keeps no old login. Throws `secret-store/*`. */
  renewalKeepsTunnel(): Promise<boolean>
  /**
   * Prepares for the login that renews the session. In version 3, deletes the tokens, since the portal issues a new
   * session only for a new authorization. Throws `secret-store/*`.
   */
  beforeRenewal(): Promise<'login-kept' | 'login-ended'>
  /**
   * The certificates of an instance of version 2, for the terminal's certificate commands. Throws
   * `certificate/not-managed` for other versions, and what discovery throws.
   */
  certificates(signal?: AbortSignal): Promise<InstanceKeyPairs>
}

export function createPortalAccess(parts: PortalParts): PortalAccess {
  const { instance, secretStore, tokens } = parts
  const apiV2 = createVpnApi(partsOf(2, parts))
  const keyPairs = new InstanceKeyPairs({ ...parts, instanceId: instance.id, session: tokens, api: apiV2 })
  const sessions = createSessionStore(secretStore, instance.id, parts.now)
  // One object for all attempts: that of version 3 knows whether the portal holds a configuration.
  const portal3 = createPortalV3({ ...parts, session: tokens, store: sessions, api: apiV3(parts) })
  const portals: Record<ApiVersion, Portal> = { 2: createPortalV2(apiV2, keyPairs), 3: portal3 }
  /** Returns the version of the current or last login, without a request. */
  const storedVersion = async (): Promise<ApiVersion | undefined> => {
    const ofLogin = await tokens.apiVersion()
    if (ofLogin !== undefined) return ofLogin
    if ((await sessions.load()) !== undefined) return 3
    return (await keyPairs.load()) === undefined ? undefined : 2
  }
  return {
    open: async (signal) => portals[(await usableEndpoints(parts, signal)).apiVersion],
    validity: async () => {
      const session = await sessions.load()
      return session === undefined ? keyPairs.load() : { ...session, renewalEndsTunnel: true }
    },
    settle: () => portal3.sendPendingDisconnect(),
    renewalKeepsTunnel: async () => (await tokens.apiVersion()) !== 3,
    beforeRenewal: async () => {
      if ((await tokens.apiVersion()) !== 3) return 'login-kept'
      await portal3.sendPendingDisconnect()
      await tokens.end()
      return 'login-ended'
    },
    certificates: async (signal) => {
      const apiVersion = (await storedVersion()) ?? (await parts.endpoints(signal)).apiVersion
      if (apiVersion !== 2)
        throw new CausewayError('certificate/not-managed', { details: { instance: instance.id, apiVersion } })
      return keyPairs
    },
  }
}

function apiV3(parts: PortalReadsParts): ApiV3 {
  return createApiV3(partsOf(3, parts))
}

/**
 * Opens the reads of an instance's portal with the API version from discovery. `settle` is that of PortalAccess, called
 * after answers of version 3. Throws as PortalAccess.open.
 */
export async function openPortalReads(
  parts: PortalReadsParts & { readonly settle?: () => Promise<void> },
): Promise<PortalReads> {
  const { apiVersion, messagesBaseUri } = await usableEndpoints(parts)
  if (apiVersion === 2) return readsV2(createVpnApi(partsOf(2, parts)))
  const { settle } = parts
  return readsV3(apiV3(parts), {
    sendPendingDisconnect: settle,
    messages: messagesBaseUri === undefined ? undefined : messagesFrom(messagesBaseUri, parts),
  })
}

/** The messages of version 2 of the API, with a login of version 3, which version 2 doesn't end: a 401 only refreshes it. */
function messagesFrom(
  messagesBaseUri: string,
  parts: PortalReadsParts,
): NonNullable<PortalReads['messages']> {
  const { http, endpoints, tokens } = partsOf(3, parts)
  const api = (isRepeated: boolean) =>
    createVpnApi({
      http: requireTls13(http),
      endpoints: async (signal) => ({
        ...(await endpoints(signal)),
        apiBaseUri: messagesBaseUri,
        loginElsewhere: isRepeated || undefined,
      }),
      tokens: {
        accessToken: (...given) => tokens.accessToken(...given),
        discardRejected: (token) => tokens.expire(token),
      },
    })
  return async (signal) => {
    try {
      return await api(false).systemMessages(signal)
    } catch (error) {
      if (!hasCode(error, 'oauth/login-required')) throw error
      return api(true).systemMessages(signal)
    }
  }
}

/** Deletes the key pair, which is only valid at one server. Throws `secret-store/*`. */
export function forgetKeyPair(secretStore: SecretStore, instanceId: string): Promise<void> {
  return createKeyPairStore(secretStore, instanceId).forget()
}

/** Deletes what is stored of the grants of a portal. Throws `secret-store/*`. */
export async function forgetGrants(secretStore: SecretStore, instanceId: string): Promise<void> {
  try {
    await forgetKeyPair(secretStore, instanceId)
  } finally {
    await secretStore.delete(sessionAccount(instanceId))
  }
}

/** Returns the endpoints of the portal, after making sure that the login was made with their version. */
async function usableEndpoints(
  { tokens, endpoints }: PortalReadsParts,
  signal?: AbortSignal,
): ReturnType<PortalReadsParts['endpoints']> {
  // Without a login, no request is made.
  await tokens.accessToken(signal)
  const found = await endpoints(signal)
  await tokens.requireVersion(found.apiVersion)
  return found
}

/** The parts for the calls of this version, which look again for the endpoints where an address is gone. */
function partsOf(version: ApiVersion, parts: PortalReadsParts): PortalReadsParts {
  const endpoints = endpointsOf(version, parts)
  const http: HttpClient = {
    send: async (url, request) => {
      const response = await parts.http.send(url, request)
      if (parts.expireEndpoints !== undefined && isGone(response.status)) {
        await parts.expireEndpoints()
        await endpoints(request?.signal).catch((error: unknown) => {
          // The answer says more than a failed look; the next call looks again.
          if (hasCode(error, 'oauth/login-required') || !(error instanceof CausewayError)) throw error
        })
      }
      return response
    },
  }
  return { ...parts, http, endpoints }
}

/** The endpoints of this version. Throws `oauth/login-required` if the portal has moved to another one meanwhile. */
function endpointsOf(
  version: ApiVersion,
  { endpoints, tokens }: PortalReadsParts,
): PortalReadsParts['endpoints'] {
  return async (signal) => {
    const found = await endpoints(signal)
    if (found.apiVersion === version) return found
    await tokens.requireVersion(found.apiVersion)
    throw loginRequired()
  }
}
