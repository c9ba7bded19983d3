import { CausewayError, hasCode } from '../../errors'
import type { Reporter } from '../../reporter'
import type { GrantedTunnel } from '../../tunnel/tunnel'
import { profileUnavailable } from '../api-errors'
import { reportNotStored } from '../oauth/errors'
import type { Validity, VpnProtocol, Wanted } from '../portal'
import { type ApiV3, type IssuedConfiguration, protocolNotSupported } from './api'
import type { ProfileV3 } from './info'
import type { SessionStore } from './session-store'
import { isOverTcp, likelyProtocol, mayHaveTcp, wantedTypes } from './tunnel-types'

export interface ConfigurationsOptions {
  readonly instance: { readonly id: string; readonly address: string }
  readonly api: Pick<ApiV3, 'info' | 'connect'>
  readonly store: Pick<SessionStore, 'save'>
  readonly session: LoginSession
  /** Returns the protocols that this computer can run now. */
  readonly runnable: () => readonly VpnProtocol[] | Promise<readonly VpnProtocol[]>
  readonly now: () => Date
  /** Called if an expiry time doesn't match the local clock. Returns the error to throw instead, if that clock is wrong. */
  readonly wrongClock: (cause: CausewayError, signal?: AbortSignal) => Promise<CausewayError | undefined>
  /** Receives failures to store the session's end. */
  readonly reporter: Pick<Reporter, 'notice' | 'failure'>
}

/** The current login (main/portal/oauth/instance-token-session.ts). */
export interface LoginSession {
  loginTime(): Promise<{ readonly login: string; readonly loggedInAt: Date | undefined }>
  keepFor(login: string, work: () => Promise<void>): Promise<void>
}

/** A configuration of ours that the portal may hold: its login, and the API if it has answered. */
export interface Held {
  readonly login: string
  readonly apiBaseUri?: string
  readonly tunnel?: GrantedTunnel
}

export interface Issued extends IssuedConfiguration {
  readonly mayMoveToTcp: boolean
}

/** Overwrites the private key of a configuration that isn't used any more. */
function forgetKey(tunnel: GrantedTunnel | undefined): void {
  if (tunnel?.protocol === 'wireguard') tunnel.privateKey.fill(0)
}

/** Gets configurations from a portal of version 3, and remembers the one in use. */
export class Configurations {
  readonly #options: ConfigurationsOptions
  #inUse: Held | undefined

  constructor(options: ConfigurationsOptions) {
    this.#options = options
  }

  /** Returns a profile from the portal's list; throws if it isn't there. */
  async listed(profileId: string, signal: AbortSignal): Promise<ProfileV3> {
    const { api, instance } = this.#options
    const { items } = await api.info(signal)
    const profile = items.find((each) => each.profileId === profileId)
    if (profile === undefined) throw profileUnavailable({ url: new URL(instance.address) })
    return profile
  }

  /** Returns a profile that can be connected to as wanted. */
  async usable(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<ProfileV3> {
    const { instance } = this.#options
    const profile = await this.listed(profileId, signal)
    const runnable = await this.#options.runnable()
    const { protocols } = profile
    if (wantedTypes(profile, wanted, runnable).length === 0) {
      const mayWireGuard = runnable.includes('wireguard')
      if (wanted.handshakeOnly === true && mayWireGuard && protocols?.includes('wireguard') === true)
        throw new CausewayError('wireguard/not-checked')
      const needsWireGuard =
        wanted.protocol === 'wireguard' ||
        (wanted.protocol === undefined && protocols?.includes('wireguard') === true)
      if (needsWireGuard && !mayWireGuard) throw new CausewayError('wireguard/not-available')
      const isOffered = wanted.protocol === undefined || protocols?.includes(wanted.protocol) !== false
      const { host } = new URL(instance.address)
      throw protocolNotSupported(host, isOffered ? undefined : 'not-offered')
    }
    if (wanted.preferTcp && !mayHaveTcp(profile, wanted, runnable))
      throw new CausewayError('profile-configuration/no-tcp-remote')
    return profile
  }

  /** Gets a configuration, which is in use from then on. */
  async issue(profileId: string, wanted: Wanted, signal: AbortSignal): Promise<Issued> {
    const { instance, api, store, session, now, reporter } = this.#options
    const profile = await this.usable(profileId, wanted, signal)
    const [{ login, loggedInAt }, runnable] = await Promise.all([
      session.loginTime(),
      this.#options.runnable(),
    ])
    const preferTcp = isOverTcp(profile, wanted, runnable)
    const types = wantedTypes(profile, wanted, runnable)
    const likely = likelyProtocol(profile, types)
    if (likely !== undefined) wanted.onAsking?.(likely)
    const previous = this.#inUse?.tunnel
    this.#inUse = { login, tunnel: previous }
    const issued = await api.connect({ profileId, preferTcp, types }, signal)
    // Not before: after a failed request, the previous configuration is tried again.
    forgetKey(previous)
    this.#inUse = { login, apiBaseUri: issued.apiBaseUri, tunnel: issued.tunnel }
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
      throw (await this.#options.wrongClock(over, signal)) ?? over
    }
    return { ...issued, mayMoveToTcp: !preferTcp && mayHaveTcp(profile, wanted, runnable) }
  }

  /** Ends the use of the configuration and overwrites its private key; returns what the portal still holds. */
  release(): Held | undefined {
    const held = this.#inUse
    this.#inUse = undefined
    forgetKey(held?.tunnel)
    return held
  }
}
