import { CausewayError, hasCode } from '../../errors'
import { requestCancelled } from '../../platform/http/failure'
import { profileUnavailable } from '../api-errors'
import { type Grant, type Portal, type PortalReads, type Validity, type Wanted, isSupported } from '../portal'
import { type ApiV3, type IssuedConfiguration, protocolNotSupported } from './api'
import { loginRequired } from '../oauth/errors'
import type { ProfileV3 } from './info'
import type { SessionStore } from './session-store'

export interface PortalV3Options {
  readonly instance: { readonly id: string; readonly address: string }
  readonly api: ApiV3
  readonly store: Pick<SessionStore, 'save'>
  /** The current login (main/portal/oauth/instance-token-session.ts). */
  readonly session: {
    loginTime(): Promise<{ readonly login: string; readonly loggedInAt: Date | undefined }>
    keepFor(login: string, work: () => Promise<void>): Promise<void>
  }
  readonly now: () => Date
  /** Called if an expiry time doesn't match the local clock. Returns the error to throw instead, if that clock is wrong. */
  readonly wrongClock: (cause: CausewayError, signal?: AbortSignal) => Promise<CausewayError | undefined>
  /** Called with a text that must not be logged. */
  readonly onSecret: (secret: string) => void
  /** Called if the end of the session couldn't be stored. */
  readonly onNotStored: (error: unknown) => void
  /** Called if the portal couldn't be told that the user has disconnected. */
  readonly onDisconnectFailed: (error: unknown) => void
  /** The time limit of `disconnect`; default 5 seconds. */
  readonly disconnectTimeoutMs?: number
}

/** The reads of a portal of version 3, which has no messages. */
export function readsV3(api: Pick<ApiV3, 'info'>): PortalReads {
  return { profiles: (signal) => api.info(signal) }
}

/**
 * A portal of version 3: each connection gets a configuration of its own, which it keeps until the user disconnects or
 * it expires. No call is made while it is in use.
 */
export function createPortalV3(options: PortalV3Options): Portal {
  const { instance, api, store, session, now, wrongClock, onSecret, onNotStored, onDisconnectFailed } =
    options
  const { disconnectTimeoutMs = 5000 } = options
  const { host } = new URL(instance.address)
  /** The configuration of ours that the portal may hold: its login, and the API if it has answered. */
  let inUse: { readonly login: string; readonly apiBaseUri?: string } | undefined

  async function validate(profileId: string, { preferTcp }: Wanted, signal: AbortSignal): Promise<void> {
    const { items } = await api.info(signal)
    const profile = items.find((each) => each.profileId === profileId)
    if (profile === undefined) throw profileUnavailable({ url: new URL(instance.address) })
    if (!isSupported(profile)) throw protocolNotSupported(host)
    if (preferTcp && !mayHaveTcp(profile)) throw noTcpServer()
  }

  async function issue(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<IssuedConfiguration> {
    await validate(profileId, wanted, signal)
    const { login, loggedInAt } = await session.loginTime()
    inUse = { login }
    const issued = await api.connect({ profileId, preferTcp: wanted.preferTcp }, signal)
    inUse = { login, apiBaseUri: issued.apiBaseUri }
    onSecret(issued.tunnel.privateKey)
    const notBefore = loggedInAt ?? now()
    const validity: Validity = { notBefore, notAfter: issued.expires }
    await session
      .keepFor(login, () => store.save(validity, login))
      .catch((error: unknown) => {
        if (hasCode(error, 'oauth/login-required')) throw error
        // The configuration is still valid.
        onNotStored(error)
      })
    if (issued.expires <= now()) {
      const over = sessionOver(instance.id, issued.expires)
      throw (await wrongClock(over, signal)) ?? over
    }
    return issued
  }

  async function connect(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<Grant> {
    const { tunnel, expires } = await issue(profileId, wanted, signal)
    return {
      tunnel,
      validUntil: expires,
      isNew: true,
      renew: async (renewSignal) => {
        // Another configuration could cut another device of the same user, which would then do the same to this one.
        if (now() < expires) throw endedByService(instance.id)
        return connect(profileId, wanted, renewSignal)
      },
    }
  }

  return {
    ...readsV3(api),
    validate,
    connect,
    disconnect: async () => {
      const held = inUse
      if (held === undefined) return
      inUse = undefined
      const signal = AbortSignal.timeout(disconnectTimeoutMs)
      try {
        // A key store that waits for its password ignores the signal; nothing is sent after it.
        await settledBefore(signal, withdraw(held, signal))
      } catch (error) {
        onDisconnectFailed(error)
      }
    },
  }

  /** Withdraws a configuration where it was issued, and with the login that it belongs to. */
  async function withdraw(held: NonNullable<typeof inUse>, signal: AbortSignal): Promise<void> {
    if ((await session.loginTime()).login !== held.login) throw loginRequired()
    await api.disconnect(signal, held.apiBaseUri)
  }
}

/** Settles like the work, or rejects once the signal aborts. */
function settledBefore<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(requestCancelled())
    })
    work.then(resolve, reject)
  })
}

/** False if the portal says that the profile has no server with TCP; older portals don't say. */
function mayHaveTcp({ transports }: ProfileV3): boolean {
  return transports === undefined || transports.includes('openvpn+tcp')
}

function noTcpServer(): CausewayError {
  return new CausewayError('profile-configuration/no-tcp-remote')
}

function sessionOver(instanceId: string, endsAt: Date): CausewayError {
  return new CausewayError('session/over', {
    details: { instance: instanceId, endsAt: endsAt.toISOString() },
  })
}

function endedByService(instanceId: string): CausewayError {
  return new CausewayError('connection/ended-by-service', { details: { instance: instanceId } })
}
