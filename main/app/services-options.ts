import type { ErrorReport } from '../../contract/error-codes'
import type { HolderKind } from '../connection/lock/tunnel-messages'
import type { ProxyFor } from '../platform/http/proxies'
import type { NetworkEvents } from '../platform/network/network-events'
import type { SecretStore } from '../platform/secret-store/secret-store'
import type { SystemSwitch } from '../platform/settings/system-switch'
import type { ConfiguredSource } from '../platform/signed-list/source'
import type { OpenBrowser } from '../portal/oauth/token-session'
import type { ConfigurationsOptions } from '../portal/v3/issued-configurations'
import type { TrafficBlock } from '../privilege/traffic-block'
import type { TunnelBackend } from '../tunnel/tunnel'
import type { FindPolicy } from './policy'

export interface ServicesOptions {
  /** Absolute. */
  readonly dataDir: string
  /** The key store, a file, or for tests another store. */
  readonly secretStore: 'os' | 'file' | SecretStore
  /** Aborts when the user ends the program: then the key store gets only a few seconds. */
  readonly signal?: AbortSignal
  readonly openBrowser: OpenBrowser
  /** Called when the browser returns from a login. */
  readonly onBrowserReturned?: () => void
  /** Called while waiting for another process's login in the browser. */
  readonly onLoginElsewhere?: () => void
  /** Called with errors that stop nothing, such as a damaged file that was moved away. */
  readonly onNotice: (notice: ErrorReport) => void
  /** The kind of this process, for other processes that find the tunnel in use; default `terminal`. */
  readonly kind?: HolderKind
  /** An OpenVPN program to use instead of the setting's or the system's. */
  readonly openVpnPath?: string
  /** The address of the lists of organizations and its publisher's keys, before the settings and the build. */
  readonly discovery?: { readonly url?: string; readonly keys?: string }
  /** Another source of network and sleep events, besides the system. */
  readonly networkEvents?: NetworkEvents
  /** For tests: what tells if the kill switch blocks traffic. */
  readonly trafficBlock?: TrafficBlock
  /** For tests: runs the tunnels, in place of OpenVPN and the helper. */
  readonly tunnels?: TunnelBackend
  /** For tests: the protocols that this computer can run. */
  readonly runnable?: ConfigurationsOptions['runnable']
  /** The system's switch for the setting `startAtLogin`; without it, the setting is stored with the others. */
  readonly startAtLogin?: SystemSwitch
  /** The computer's policy; default the one of the administrator. */
  readonly findPolicy?: FindPolicy
  /** The address of the update feed; default is that of the policy or the build. */
  readonly updateSource?: ConfiguredSource
  /** Returns the proxy for a URL; default that of the proxy variables. */
  readonly proxyFor?: ProxyFor
  /** The clock of this computer; default the system's. */
  readonly now?: () => Date
}
