import type { Reporter } from '../reporter'
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findWrongClock } from '../platform/clock/wrong-clock'
import type { InstanceAccess } from '../connection/prepare'
import type { CausewayError } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import { createDiscovery } from '../portal/discovery/discovery'
import { EndpointsCache } from '../portal/discovery/endpoints-cache'
import type { OrganizationDirectory } from '../portal/organization-list/organization-directory'
import type { Instance } from '../portal/instance/instance'
import type { InstanceList } from '../portal/instance/instance-list'
import { runnableProtocols } from '../privilege/wireguard-here'
import type { ConfigurationsOptions } from '../portal/v3/issued-configurations'
import { createPortalAccess, forgetGrants, type PortalAccess } from '../portal/open-portal'
import { type FileLockOptions, withFileLock } from '../platform/storage/file-lock'
import { isBehindCaptivePortal } from '../platform/network/captive-portal'
import type { Transport } from '../platform/http/transport'
import { clientIdFor } from '../portal/oauth/client-id'
import type { BrowserLogins } from '../portal/oauth/browser-logins'
import type { IssuerSenders } from '../portal/instance/issuer-senders'
import { InstanceTokenSession } from '../portal/oauth/instance-token-session'
import { storedVersion } from '../portal/oauth/token-store'
import type { OpenBrowser } from '../portal/oauth/token-session'
import type { SecretStore } from '../platform/secret-store/secret-store'

/** Session and portal of one instance. */
export interface InstancePortal
  extends
    InstanceAccess,
    Pick<PortalAccess, 'validity' | 'settle' | 'beforeRenewal' | 'renewalKeepsTunnel' | 'certificates'> {
  readonly session: InstanceTokenSession
  portal(signal?: AbortSignal): ReturnType<PortalAccess['open']>
}

export interface InstancePortalOptions {
  /** Returns the protocols that this computer can run; default: as it finds them here. */
  readonly runnable?: ConfigurationsOptions['runnable']
  /** Absolute. */
  readonly dataDir: string
  readonly http: HttpClient
  readonly getTransport: () => Promise<Transport>
  readonly secretStore: SecretStore
  /** Knows the addresses of instances, and what to open instead of the authorization request of a login. */
  readonly directory: Pick<OrganizationDirectory, 'apiAddress' | 'beforeLogin'>
  readonly openBrowser: OpenBrowser
  readonly browserLogins: BrowserLogins
  readonly issuerSenders: IssuerSenders
  readonly instances: Pick<InstanceList, 'all' | 'find' | 'markSignedIn'>
  readonly onBrowserReturned?: () => void
  /** Called while waiting for another process's login in the browser. */
  readonly onLoginElsewhere?: () => void
  /**
   * Forgets a login's data besides tokens and key pair. `replaced` is false if there was no login before: then manual
   * settings stay.
   */
  readonly forgetLogin: (instance: Instance, replaced: boolean) => Promise<void>
  readonly reporter: Reporter
  /** Runs work that replaces a login while no process can start to use it. Rejects without running it if one uses it. */
  readonly whileUnused: (instance: Instance, work: () => Promise<void>) => Promise<void>
  /**
   * Runs work while no process is connected to the instance, and none can start to. Rejects without running it if one is
   * connected, also this one.
   */
  readonly whileDisconnected: (instance: Instance, work: () => Promise<void>) => Promise<void>
  readonly now: () => Date
}

/** The access to instances, and the cache of their endpoints. */
export interface InstancePortals {
  /** Returns one `InstancePortal` per instance, because a token session combines concurrent refreshes. */
  readonly accessTo: (instance: Instance) => InstancePortal
  readonly cache: EndpointsCache
}

type Parts = InstancePortalOptions & { readonly cache: EndpointsCache }

export function createInstancePortals(options: InstancePortalOptions): InstancePortals {
  const { directory, http, reporter, secretStore } = options
  const sessions = new Map<string, InstanceTokenSession>()
  const made = new Map<string, InstancePortal>()
  const cache = new EndpointsCache({
    discovery: createDiscovery({ http }),
    now: Date.now,
    apiAddress: (instance) => directory.apiAddress(instance),
    loginVersion: ({ id }) => storedVersion(secretStore, id),
    reporter,
  })
  const parts = { ...options, cache }

  function accessTo(instance: Instance): InstancePortal {
    const { id, address, clientId, apiVersion, organization } = instance
    // The login is the same at every location.
    const orgId = organization?.type === 'secure_internet' ? organization.orgId : undefined
    const sessionKey = JSON.stringify([id, address, clientId, apiVersion, orgId])
    const session = sessions.get(sessionKey) ?? sessionAt(instance, parts)
    sessions.set(sessionKey, session)
    const key = JSON.stringify([sessionKey, organization])
    const access = made.get(key) ?? portalAt(instance, session, parts)
    made.set(key, access)
    return access
  }
  return { accessTo, cache }
}

function sessionAt(instance: Instance, options: Parts): InstanceTokenSession {
  const {
    dataDir,
    http,
    secretStore,
    cache,
    directory,
    openBrowser,
    browserLogins,
    issuerSenders,
    instances,
    onBrowserReturned,
    onLoginElsewhere,
    forgetLogin,
    reporter,
    whileUnused,
    now,
  } = options
  const requireListed = async (): Promise<void> => {
    await instances.find(instance.id)
  }
  return new InstanceTokenSession({
    instance,
    endpoints: (signal) => cache.home(instance, signal),
    expireEndpoints: () => cache.expire(instance),
    beforeLogin: (signal) => directory.beforeLogin(instance, signal),
    clientId: clientIdFor(instance, process.platform),
    http,
    secretStore,
    openBrowser,
    alone: (kind, work, signal) =>
      withFileLock(lockPath(dataDir, instance, kind), work, {
        ...locks[kind],
        signal,
        onBusy: kind === 'login' ? onLoginElsewhere : undefined,
      }),
    // Bypasses the certificate queue, whose members wait for this session's lock.
    forgetGrants: () => forgetGrants(secretStore, instance.id),
    forgetLogin: (replaced) => forgetLogin(instance, replaced),
    requireListed,
    onSignedIn: () =>
      // The sign-in has succeeded all the same.
      instances.markSignedIn(instance.id).catch((error: unknown) => {
        reporter.failure('sign-in-not-marked', error)
      }),
    hasSentIssuer: () => issuerSenders.has(instance.id),
    onIssuerSent: async () => {
      await requireListed()
      await issuerSenders.add(instance.id)
    },
    knowsOthers: async () => (await instances.all()).some(({ id }) => id !== instance.id),
    newLogin: randomUUID,
    now: () => now().getTime(),
    reporter,
    whileUnused: (work) => whileUnused(instance, work),
    delay: (milliseconds, process) => delay(milliseconds, undefined, { ref: process === 'alive' }),
    onWaiting: (login) => browserLogins.add(instance.id, login),
    onReturned: onBrowserReturned,
  })
}

function portalAt(instance: Instance, session: InstanceTokenSession, options: Parts): InstancePortal {
  const { http, getTransport, secretStore, cache, reporter, whileDisconnected, now } = options
  const endpoints = (signal?: AbortSignal) => cache.endpoints(instance, signal)
  const wrongClock = (cause: CausewayError, signal?: AbortSignal) =>
    findWrongClock({ http, address: instance.address, now: () => now().getTime() }, cause, signal)
  const portal = createPortalAccess({
    instance,
    http,
    endpoints,
    expireEndpoints: () => cache.expire(instance),
    tokens: session,
    secretStore,
    now,
    wrongClock,
    reporter,
    whileDisconnected: (work) => whileDisconnected(instance, work),
    delay: (milliseconds) => delay(milliseconds, undefined, { ref: false }),
    runnable: options.runnable ?? runnableProtocols,
  })
  return {
    discover: endpoints,
    session,
    portal: (signal) => portal.open(signal),
    validity: () => portal.validity(),
    settle: () => portal.settle(),
    beforeRenewal: () => portal.beforeRenewal(),
    renewalKeepsTunnel: () => portal.renewalKeepsTunnel(),
    certificates: (signal) => portal.certificates(signal),
    isBehindCaptivePortal: (signal) => isBehindCaptivePortal(getTransport, new URL(instance.address), signal),
    wrongClock,
  }
}

/** Lock times, each longer than its work may take: a token request, or a login in the browser. */
const locks = {
  refresh: { waitMs: 60_000, staleMs: 90_000 },
  login: { waitMs: 600_000, staleMs: 600_000, everyMs: 200 },
  change: { waitMs: 60_000, staleMs: 90_000 },
} as const satisfies Record<string, FileLockOptions>

/** Returns the path of a lock, with the id hashed because it may hold characters that file names can't. */
function lockPath(dataDir: string, { id }: Instance, kind: keyof typeof locks): string {
  return join(dataDir, 'locks', `${createHash('sha256').update(id).digest('hex').slice(0, 32)}-${kind}`)
}
