import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { ErrorReport } from '../../contract/error-codes'
import { findWrongClock } from '../platform/clock/wrong-clock'
import type { InstanceAccess } from '../connection/prepare'
import type { CausewayError } from '../errors'
import type { HttpClient } from '../platform/http/http-client'
import type { EndpointsCache } from '../portal/discovery/endpoints-cache'
import type { Instance } from '../portal/instance/instance'
import { createPortalAccess, forgetGrants, type PortalAccess } from '../portal/open-portal'
import { type FileLockOptions, withFileLock } from '../platform/storage/file-lock'
import { answersForAnother, plainAddress } from '../platform/network/captive-portal'
import { clientIdFor } from '../portal/oauth/client-id'
import type { BrowserLogins } from '../portal/oauth/browser-logins'
import { InstanceTokenSession } from '../portal/oauth/instance-token-session'
import type { OpenBrowser } from '../portal/oauth/token-session'
import type { SecretStore } from '../platform/secret-store/secret-store'

/** All that Causeway does with one instance goes through these. */
export interface Access extends InstanceAccess, Pick<PortalAccess, 'validity' | 'certificates'> {
  readonly session: InstanceTokenSession
  portal(signal?: AbortSignal): ReturnType<PortalAccess['open']>
}

export interface AccessOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly http: HttpClient
  readonly secretStore: SecretStore
  readonly cache: EndpointsCache
  readonly openBrowser: OpenBrowser
  readonly browserLogins: BrowserLogins
  readonly onBrowserReturned?: () => void
  /** Another process has the browser open for a login, which this one waits for. */
  readonly onLoginElsewhere?: () => void
  /**
   * Forgets what is kept of a login beside its tokens and its key pair. `replaced` is false where there was no login yet:
   * what the person has set up by hand stays then.
   */
  readonly forgetLogin: (instance: Instance, replaced: boolean) => Promise<void>
  readonly onNotice: (notice: ErrorReport) => void
  readonly now: () => Date
}

/** Gives one object of each kind an instance, because a token session joins those who wait for the same refresh. */
export function createAccess(options: AccessOptions): (instance: Instance) => Access {
  const made = new Map<string, Access>()
  return (instance) => {
    const key = JSON.stringify([instance.id, instance.address, instance.clientId])
    const access = made.get(key) ?? accessTo(instance, options)
    made.set(key, access)
    return access
  }
}

function accessTo(instance: Instance, options: AccessOptions): Access {
  const {
    dataDir,
    http,
    secretStore,
    cache,
    openBrowser,
    browserLogins,
    onBrowserReturned,
    onLoginElsewhere,
    forgetLogin,
    onNotice,
    now,
  } = options
  const endpoints = (signal?: AbortSignal) => cache.endpoints(instance, signal)
  const session = new InstanceTokenSession({
    instance,
    endpoints,
    clientId: clientIdFor(instance, process.platform),
    http,
    secretStore,
    openBrowser,
    alone: (kind, work, signal) =>
      withFileLock(lockPath(dataDir, instance, kind), work, {
        ...locks[kind],
        ...(signal === undefined ? {} : { signal }),
        ...(kind === 'login' && onLoginElsewhere !== undefined ? { onBusy: onLoginElsewhere } : {}),
      }),
    // Past the queue of those who make one: they wait there for their turn to keep it.
    forgetGrants: () => forgetGrants(secretStore, instance.id),
    forgetLogin: (replaced) => forgetLogin(instance, replaced),
    newLogin: randomUUID,
    now: () => now().getTime(),
    onUnreadable: () => {
      onNotice({
        code: 'data/damaged',
        message: `The stored tokens for ${instance.id} can't be read. Log in again.`,
        details: { instance: instance.id },
      })
    },
    onWaiting: (login) => browserLogins.add(instance.id, login),
    ...(onBrowserReturned === undefined ? {} : { onReturned: onBrowserReturned }),
  })
  const wrongClock = (cause: CausewayError, signal?: AbortSignal) =>
    findWrongClock({ http, address: instance.address, now: () => now().getTime() }, cause, signal)
  const portal = createPortalAccess({
    instanceId: instance.id,
    http,
    endpoints,
    tokens: session,
    secretStore,
    now,
    wrongClock,
  })
  const plain = plainAddress(instance.address)
  const isBehindCaptivePortal = async (signal: AbortSignal): Promise<boolean> =>
    plain !== undefined && (await answersForAnother(plain, signal))
  return {
    discover: endpoints,
    session,
    portal: (signal) => portal.open(signal),
    validity: () => portal.validity(),
    certificates: portal.certificates,
    isBehindCaptivePortal,
    wrongClock,
  }
}

/** Each waits, and lasts, longer than its work may take: a request for tokens, or a person at the browser. */
const locks = {
  refresh: { waitMs: 60_000, staleMs: 90_000 },
  login: { waitMs: 600_000, staleMs: 600_000, everyMs: 200 },
  change: { waitMs: 60_000, staleMs: 90_000 },
} as const satisfies Record<string, FileLockOptions>

/** An instance's id may hold what no file name takes. */
function lockPath(dataDir: string, { id }: Instance, kind: keyof typeof locks): string {
  return join(dataDir, 'locks', `${createHash('sha256').update(id).digest('hex').slice(0, 32)}-${kind}`)
}
