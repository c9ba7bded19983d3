import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import type { KillSwitchSlice } from '../../contract/state'
import type { ContentCommandServices } from './content-commands'
import type { InstanceSettingsCommandServices } from './instance-settings-commands'
import type { OrganizationsCommandServices } from './organizations-commands'
import type { AttachmentsServices } from './attachments-model'
import type { Finding } from '../app/diagnostics/doctor'
import type { Validity } from '../portal/portal'
import type { Instance, ServiceAddresses } from '../portal/instance/instance'
import type { ConnectionLog } from '../app/diagnostics/connection-log'
import type { Log } from '../platform/log/log'
import type { TunnelHolder } from '../connection/lock/tunnel-messages'
import type { BrowserLogins } from '../portal/oauth/browser-logins'
import type { TokenSession } from '../portal/oauth/token-session'
import type { ServiceReads } from '../app/service-reads'
import type { Settings } from '../../contract/settings'
import type { UnreadMessages } from '../portal/read-state'
import type { TrafficSource } from '../platform/traffic/traffic-source'

/** What the window needs of the services (main/app/services.ts). */
export interface AppServices
  extends AttachmentsServices, ContentCommandServices, OrganizationsCommandServices {
  readonly log: Pick<Log, 'write'>
  readonly read: ServiceReads
  readonly connectionLog: Pick<ConnectionLog, 'after' | 'onLine'>
  readonly trafficSource: TrafficSource | undefined
  diagnose(): Promise<Finding[]>
  /** Throws `openvpn/not-found`, `openvpn/too-old` where there is no OpenVPN that can be used at this path. */
  checkOpenVpn(path: string): Promise<unknown>
  offeredServices(instance: Instance): Promise<ServiceAddresses>
  knownServices(instance: Instance): Promise<ServiceAddresses | undefined>
  onServicesFound(listener: (instanceId: string) => void): () => void
  readonly instances: InstanceSettingsCommandServices['instances'] & {
    all(): Promise<readonly Instance[]>
    onChange(listener: () => void): () => void
  }
  readonly settings: {
    all(): Promise<Settings>
    set(name: string, text: string): Promise<void>
    onChange(listener: (settings: Settings) => void): () => void
  }
  readonly lastConnections: {
    all(): Promise<readonly ConnectionTarget[]>
    onChange(listener: (all: readonly ConnectionTarget[]) => void): () => void
  }
  readonly connection: {
    readonly state: ConnectionState
    onChange(listener: (state: ConnectionState) => void): () => void
    connect(target: ConnectionTarget, options: { readonly login: 'allowed' | 'never' }): Promise<unknown>
    disconnect(): Promise<void>
    retryNow(): void
  }
  readonly killSwitch: {
    here(): Promise<KillSwitchSlice['here']>
    blocks(): boolean
    watch(onChange: () => void): () => void
  }
  readonly unreadMessages: UnreadMessages
  releaseTraffic(): Promise<unknown>
  readonly contentImages: { idOf(imageUrl: string, baseUrl: string): string }
  readonly tunnel: {
    watch(onChange: (holder: TunnelHolder | undefined) => void): () => void
    askToDisconnect(how?: { readonly takesOver?: boolean }): Promise<void>
  }
  addInstance(input: { readonly address: string }): Promise<Instance>
  disconnectFrom(instanceId: string): Promise<unknown>
  removeInstance(instanceId: string): Promise<unknown>
  session(instance: Instance): TokenSession
  readonly browserLogins: Pick<BrowserLogins, 'of' | 'onChange'>
  validity(instance: Instance): Promise<Validity | undefined>
  renewSession(
    instance: Instance,
    options: { readonly login: 'allowed' | 'never'; readonly takeOver: boolean },
    logIn: () => Promise<void>,
  ): Promise<void>
}
