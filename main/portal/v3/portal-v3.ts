import { CausewayError, hasCode } from '../../errors'
import type { Reporter } from '../../reporter'
import { requestCancelled } from '../../platform/http/failure'
import { retryAfterMs } from '../../platform/http/retrying-http'
import { profileUnavailable } from '../api-errors'
import type { Grant, Portal, PortalReads, Validity, VpnProtocol, Wanted } from '../portal'
import { type ApiV3, type IssuedConfiguration, protocolNotSupported } from './api'
import { loginRequired, reportNotStored } from '../oauth/errors'
import type { ProfileV3 } from './info'
import type { GrantedTunnel } from '../../tunnel/tunnel'
import type { SessionStore } from './session-store'
import { isOverTcp, likelyProtocol, mayHaveTcp, wantedTypes } from './tunnel-types'

export interface PortalV3Options {
  readonly instance: { readonly id: string; readonly address: string }
  readonly api: ApiV3
  readonly store: Pick<SessionStore, 'save' | 'markPendingDisconnect' | 'pendingDisconnect'>
  /** The current login (main/portal/oauth/instance-token-session.ts). */
  readonly session: {
    loginTime(): Promise<{ readonly login: string; readonly loggedInAt: Date | undefined }>
    keepFor(login: string, work: () => Promise<void>): Promise<void>
  }
  /** Returns the protocols that this computer can run now. */
  readonly runnable: () => readonly VpnProtocol[]
  readonly now: () => Date
  /** Called if an expiry time doesn't match the local clock. Returns the error to throw instead, if that clock is wrong. */
  readonly wrongClock: (cause: CausewayError, signal?: AbortSignal) => Promise<CausewayError | undefined>
  /** Receives failures to store the session's end or to send /disconnect. */
  readonly reporter: Pick<Reporter, 'notice' | 'failure'>
  /**
   * Runs work while no process, also not this one, is connected to the instance or can start to. Rejects without running
   * it if one is connected.
   */
  readonly whileDisconnected: (work: () => Promise<void>) => Promise<void>
  /** Resolves after this time; doesn't keep the process running until then. */
  readonly delay: (milliseconds: number) => Promise<void>
  /** The time limit of `disconnect`; default 5 seconds. */
  readonly disconnectTimeoutMs?: number
}

/** A portal of version 3. */
export interface PortalV3 extends Portal {
  /**
   * Sends a `/disconnect` that couldn't be sent when the user disconnected, if the configuration is still the login's only
   * one. Call it when the portal may answer again, and before the login's tokens are deleted. Never throws.
   */
  sendPendingDisconnect(): Promise<void>
}

/**
 * The reads of a portal of version 3. `sendPendingDisconnect` is called after an answer of the portal. `messages` come from version 2 of
 * the API, where the portal has both.
 */
export function readsV3(
  api: Pick<ApiV3, 'info'>,
  {
    sendPendingDisconnect,
    messages,
  }: {
    readonly sendPendingDisconnect?: () => Promise<void>
    readonly messages?: PortalReads['messages']
  } = {},
): PortalReads {
  return {
    profiles: async (signal) => {
      const profiles = await api.info(signal)
      await sendPendingDisconnect?.()
      return profiles
    },
    messages,
  }
}

/** The least time between two configurations of one connection that were not asked for by the user. */
const renewalPauseMs = 10 * 60_000

/** The time without any answer after which the servers of a configuration may have other keys. */
const reissueAfterMs = 2 * 60_000

/** The time limit of storing that `/disconnect` is still to be sent. */
const markTimeoutMs = 1000

/**
 * A portal of version 3: each connection gets a configuration of its own, which it keeps until the user disconnects or
 * it expires. No call is made while it is in use.
 */
export function createPortalV3(options: PortalV3Options): PortalV3 {
  const { instance, api, store, session, now, wrongClock, reporter } = options
  const { runnable, whileDisconnected, delay, disconnectTimeoutMs = 5000 } = options
  /** The time that the portal wants to pass before the next `/disconnect`. */
  let askedPauseMs = 0
  const onDisconnectFailed = (error: unknown): void => {
    askedPauseMs = retryAfterMs(error)
    reporter.failure('disconnect-not-sent', error)
  }
  const { host } = new URL(instance.address)
  let inUse: Held | undefined
  let sending: Promise<void> | undefined
  let attempts: Promise<void> | undefined

  async function listed(profileId: string, signal: AbortSignal): Promise<ProfileV3> {
    const { items } = await api.info(signal)
    const profile = items.find((each) => each.profileId === profileId)
    if (profile === undefined) throw profileUnavailable({ url: new URL(instance.address) })
    return profile
  }

  /** Returns a profile that can be connected to as wanted. */
  async function usable(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<ProfileV3> {
    const profile = await listed(profileId, signal)
    const { protocols } = profile
    if (wantedTypes(profile, wanted, runnable()).length === 0) {
      const mayWireGuard = runnable().includes('wireguard')
      if (wanted.handshakeOnly === true && mayWireGuard && protocols?.includes('wireguard') === true)
        throw new CausewayError('wireguard/not-checked')
      if (wanted.protocol === 'wireguard' && !mayWireGuard) throw new CausewayError('wireguard/not-available')
      const isOffered = wanted.protocol === undefined || protocols?.includes(wanted.protocol) !== false
      throw protocolNotSupported(host, isOffered ? undefined : 'not-offered')
    }
    if (wanted.preferTcp && !mayHaveTcp(profile, wanted, runnable()))
      throw new CausewayError('profile-configuration/no-tcp-remote')
    return profile
  }

  async function issue(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<Issued> {
    const profile = await usable(profileId, wanted, signal)
    const { login, loggedInAt } = await session.loginTime()
    const preferTcp = isOverTcp(profile, wanted, runnable())
    const types = wantedTypes(profile, wanted, runnable())
    const likely = likelyProtocol(profile, types)
    if (likely !== undefined) wanted.onAsking?.(likely)
    const previous = inUse?.tunnel
    inUse = { login, tunnel: previous }
    const issued = await api.connect({ profileId, preferTcp, types }, signal)
    // Not before: after a failed request, the previous configuration is tried again.
    forgetKey(previous)
    inUse = { login, apiBaseUri: issued.apiBaseUri, tunnel: issued.tunnel }
    const notBefore = loggedInAt ?? now()
    const validity: Validity = { notBefore, notAfter: issued.expires }
    await session
      .keepFor(login, () => store.save(validity, login))
      .catch((error: unknown) => {
        if (hasCode(error, 'oauth/login-required')) throw error
        // The configuration is still valid.
        reportNotStored(reporter, instance, error)
      })
    if (issued.expires <= now()) {
      const details = { instance: instance.id, endsAt: issued.expires.toISOString() }
      const over = new CausewayError('session/over', { details })
      throw (await wrongClock(over, signal)) ?? over
    }
    return { ...issued, mayMoveToTcp: !preferTcp && mayHaveTcp(profile, wanted, runnable()) }
  }

  /** @param renewedAt the time of the last renewal of the same connection before its end */
  async function connect(
    profileId: string,
    wanted: Wanted,
    signal: AbortSignal,
    renewedAt?: Date,
  ): Promise<Grant> {
    const { tunnel, expires, mayMoveToTcp } = await issue(profileId, wanted, signal)
    const mayTry = () => renewedAt === undefined || now().getTime() - renewedAt.getTime() >= renewalPauseMs
    const another = (anotherSignal: AbortSignal) => connect(profileId, wanted, anotherSignal, now())
    return {
      tunnel,
      validUntil: expires,
      isNew: true,
      // `/info` doesn't disturb a connection, and only the login and its profiles can be asked about.
      check: async (checkSignal) => {
        await listed(profileId, checkSignal)
        return 'login-accepted'
      },
      renew: async (renewSignal) => {
        if (now() >= expires) return connect(profileId, wanted, renewSignal)
        // WireGuard's servers don't say that they have removed a configuration, so one more is tried.
        if (tunnel.protocol === 'wireguard' && mayTry()) return another(renewSignal)
        await listed(profileId, renewSignal)
        // Another configuration could cut another device of the same user, which would then do the same to this one.
        throw new CausewayError('connection/ended-by-service', { details: { instance: instance.id } })
      },
      // A server that is silent is told from one that refuses: nobody else's new configuration is the reason.
      ...(tunnel.protocol === 'openvpn' && {
        reissue: {
          isDue: (silentMs) => silentMs >= reissueAfterMs && mayTry(),
          get: another,
        },
      }),
      ...(mayMoveToTcp && tunnel.protocol === 'wireguard' && tunnel.transport === 'udp'
        ? {
            overTcp: (tcpSignal) => connect(profileId, { ...wanted, tcpFirst: true }, tcpSignal, renewedAt),
          }
        : {}),
    }
  }

  /** Withdraws a configuration where it was issued, and with the login that it belongs to. */
  async function withdraw(held: Held): Promise<void> {
    const signal = AbortSignal.timeout(disconnectTimeoutMs)
    const send = async (): Promise<void> => {
      if ((await session.loginTime()).login !== held.login) throw loginRequired()
      await api.disconnect(signal, held.apiBaseUri)
    }
    // A key store that waits for its password ignores the signal; nothing is sent after it.
    await settledBefore(signal, send())
  }

  /** Remembers a configuration that the portal holds although it isn't used any more: up to the end of the session. */
  async function markPending({ login, apiBaseUri }: Held): Promise<void> {
    if (apiBaseUri === undefined) return
    await settledBefore(
      AbortSignal.timeout(markTimeoutMs),
      session.keepFor(login, () => store.markPendingDisconnect(login, apiBaseUri)),
    )
    attempts ??= sendPendingLater(login).finally(() => {
      attempts = undefined
    })
  }

  async function sendPendingLater(login: string): Promise<void> {
    for (let pause = 10_000; ; pause = Math.min(2 * pause, 600_000)) {
      await delay(Math.max(pause, askedPauseMs))
      await sendPendingDisconnect()
      // A key store that can't be read now may be later.
      if ((await store.pendingDisconnect(login).catch(() => '')) === undefined) return
    }
  }

  function sendPendingDisconnect(): Promise<void> {
    sending ??= sendPendingOnce()
      // The next answer of the portal is the next occasion.
      .catch(onDisconnectFailed)
      .finally(() => {
        sending = undefined
      })
    return sending
  }

  async function sendPendingOnce(): Promise<void> {
    const { login } = await session.loginTime()
    if ((await store.pendingDisconnect(login)) === undefined) return
    await whileDisconnected(async () => {
      // A new configuration of any process has replaced it.
      const apiBaseUri = await store.pendingDisconnect(login)
      if (apiBaseUri === undefined) return
      await withdraw({ login, apiBaseUri }).catch((error: unknown) => {
        if (!isAnswer(error)) throw error
        onDisconnectFailed(error)
      })
    })
    // Outside, because a login in another process takes these locks in the other order.
    await session.keepFor(login, () => store.markPendingDisconnect(login))
  }

  return {
    ...readsV3(api, { sendPendingDisconnect: sendPendingDisconnect }),
    validate: async (profileId, wanted, signal) => {
      await usable(profileId, wanted, signal)
    },
    connect: (profileId, wanted, signal) => connect(profileId, wanted, signal),
    sendPendingDisconnect: sendPendingDisconnect,
    disconnect: async () => {
      const held = inUse
      if (held === undefined) return
      inUse = undefined
      forgetKey(held.tunnel)
      try {
        await withdraw(held)
      } catch (error) {
        onDisconnectFailed(error)
        if (!isAnswer(error)) await markPending(held).catch(onDisconnectFailed)
      }
    },
  }
}

/** A configuration of ours that the portal may hold: its login, and the API if it has answered. */
interface Held {
  readonly login: string
  readonly apiBaseUri?: string
  readonly tunnel?: GrantedTunnel
}

interface Issued extends IssuedConfiguration {
  readonly mayMoveToTcp: boolean
}

/** Overwrites the private key of a configuration that isn't used any more. */
function forgetKey(tunnel: GrantedTunnel | undefined): void {
  if (tunnel?.protocol === 'wireguard') tunnel.privateKey.fill(0)
}

/** Returns whether the portal has answered with this error, or that there is no login to ask with. */
function isAnswer(error: unknown): boolean {
  return hasCode(
    error,
    'oauth/login-required',
    'vpn-api/refused',
    'vpn-api/not-allowed',
    'vpn-api/invalid-response',
  )
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
