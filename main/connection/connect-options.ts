import type { ConnectionTarget, ProfileChoice } from '../../contract/connection'
import type { RemoteStrategy, VpnProtocol, Wanted } from '../portal/portal'
import type { BlockedNetworks } from './blocked-networks'

export interface ConnectOptions {
  /** `handshake-only` makes no device and no routes and needs no privilege; default `full`. */
  readonly mode?: 'full' | 'handshake-only'
  readonly remoteStrategy?: RemoteStrategy
  readonly preferTcp?: boolean
  /** Use this protocol only, or the portal's choice (`auto`); default: the user's choice for the profile. */
  readonly protocol?: VpnProtocol | 'auto'
  /** Permission to open a browser when a login is needed; default `allowed`. */
  readonly login?: 'allowed' | 'never'
  /** The time limit for connecting in milliseconds, without the login; default 120 000. */
  readonly timeoutMs?: number
  /** Reconnect when the tunnel is lost; default the setting's. */
  readonly reconnect?: boolean
  /**
   * Retry temporary failures also before the first tunnel, if reconnecting is on; default false.
   */
  readonly patient?: boolean
  /** Of those, retry only those of a network that the person has yet to sign in to, and then any: it may be shaky at first; default false. */
  readonly waitsForNetworkSignIn?: boolean
}

export const defaultTimeoutMs = 120_000

interface Preferences {
  readonly remoteStrategy: RemoteStrategy
  readonly preferTcp: boolean
  readonly reconnect: boolean
}

export interface WantedDependencies {
  /** Reads the defaults for `ConnectOptions`. Throws `settings/managed` if the computer's policy forbids one of these options. */
  preferences(options: ConnectOptions): Promise<Preferences>
  /** Returns what the user chose for a profile. */
  choiceFor(target: ConnectionTarget): Promise<Pick<ProfileChoice, 'protocol' | 'tcpOnly'> | undefined>
  /** Remembers networks that block UDP. */
  readonly blockedNetworks: BlockedNetworks
}

/**
 * Returns what connecting asks the portal for: the wishes of this call, else those for the profile, else the settings; and TCP
 * first on a network that blocks UDP.
 */
export async function wantedFor(
  dependencies: WantedDependencies,
  target: ConnectionTarget,
  options: ConnectOptions,
): Promise<Wanted> {
  const { blockedNetworks } = dependencies
  const network = blockedNetworks.current()
  const preferences = await dependencies.preferences(options)
  const choice = await dependencies.choiceFor(target)
  const protocol = options.protocol ?? choice?.protocol ?? 'auto'
  return {
    remoteStrategy: options.remoteStrategy ?? preferences.remoteStrategy,
    preferTcp: options.preferTcp ?? (choice?.tcpOnly === true || preferences.preferTcp),
    protocol: protocol === 'auto' ? undefined : protocol,
    handshakeOnly: options.mode === 'handshake-only',
    tcpFirst: await blockedNetworks.has(await network),
  }
}
