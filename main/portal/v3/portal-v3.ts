import { CausewayError } from '../../errors'
import type { Grant, Portal, PortalReads, Wanted } from '../portal'
import type { ApiV3 } from './api'
import { Disconnects, type DisconnectsOptions, settledBefore } from './disconnects'
import { Configurations, type ConfigurationsOptions } from './issued-configurations'

export type PortalV3Options = ConfigurationsOptions & DisconnectsOptions & { readonly api: ApiV3 }

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

/**
 * A portal of version 3: each connection gets a configuration of its own, which it keeps until the user disconnects or
 * it expires. No call is made while it is in use.
 */
export function createPortalV3(options: PortalV3Options): PortalV3 {
  const configurations = new Configurations(options)
  const disconnects = new Disconnects(options)
  const { sendPendingDisconnect } = disconnects
  const connect = connectorV3(options, configurations)
  /** The last `/disconnect`, for five seconds at most. */
  let withdrawn: Promise<void> = Promise.resolve()
  return {
    ...readsV3(options.api, { sendPendingDisconnect }),
    validate: async (profileId, wanted, signal) => {
      await configurations.usable(profileId, wanted, signal)
    },
    connect: async (profileId, wanted, signal) => {
      // A slow portal would withdraw the new configuration with the old one.
      await settledBefore(signal, withdrawn)
      return connect(profileId, wanted, signal)
    },
    sendPendingDisconnect,
    disconnect: async () => {
      const held = configurations.release()
      if (held === undefined) return
      withdrawn = disconnects.disconnect(held)
      await withdrawn
    },
  }
}

/** Returns a function that gets a configuration as a grant. */
function connectorV3(
  { instance, now }: Pick<PortalV3Options, 'instance' | 'now'>,
  configurations: Configurations,
) {
  /** @param renewedAt the time of the last renewal of the same connection before its end */
  async function connect(
    profileId: string,
    wanted: Wanted,
    signal: AbortSignal,
    renewedAt?: Date,
  ): Promise<Grant> {
    const { tunnel, expires, mayMoveToTcp } = await configurations.issue(profileId, wanted, signal)
    const mayTry = () => {
      if (renewedAt === undefined) return true
      const passed = now().getTime() - renewedAt.getTime()
      // A clock that was set back doesn't tell how long ago it was: rather one too many than a connection that ends for it.
      return passed < 0 || passed >= renewalPauseMs
    }
    const another = (anotherSignal: AbortSignal) => connect(profileId, wanted, anotherSignal, now())
    return {
      tunnel,
      validUntil: expires,
      isNew: true,
      // `/info` doesn't disturb a connection, and only the login and its profiles can be asked about.
      check: async (checkSignal) => {
        await configurations.listed(profileId, checkSignal)
        return 'login-accepted'
      },
      renew: async (renewSignal) => {
        if (now() >= expires) return connect(profileId, wanted, renewSignal)
        // WireGuard's servers don't say that they have removed a configuration, so one more is tried.
        if (tunnel.protocol === 'wireguard' && mayTry()) return another(renewSignal)
        await configurations.listed(profileId, renewSignal)
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

  return connect
}
