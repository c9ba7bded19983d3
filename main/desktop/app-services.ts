import type { ConnectOptions } from '../connection/connection'
import type { ProfileChoices } from '../connection/profile-choices'
import type { TargetList } from '../connection/target-list'
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
import type { OrganizationDirectory } from '../portal/organization-list/organization-directory'
import type { BrowserLogins } from '../portal/oauth/browser-logins'
import type { TokenSession } from '../portal/oauth/token-session'
import type { CachedReads } from '../app/cached-reads'
import type { SettingName, Settings } from '../../contract/settings'
import type { UnreadMessages } from '../portal/read-state'
import type { Updates } from '../updates/updates'
import type { TrafficSource } from '../platform/traffic/traffic-source'

/** The services that the window needs (main/app/services.ts). */
export interface AppServices
  extends AttachmentsServices, ContentCommandServices, OrganizationsCommandServices {
  readonly log: Pick<Log, 'write'>
  readonly read: CachedReads
  readonly connectionLog: Pick<ConnectionLog, 'after' | 'onLine'>
  readonly trafficSource: TrafficSource | undefined
  updates(): Promise<Updates>
  diagnose(): Promise<Finding[]>
  /** Throws `openvpn/not-found` or `openvpn/too-old` if the OpenVPN at this path can't be used. */
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
    managed(): Promise<SettingName[]>
    onChange(listener: (settings: Settings) => void): () => void
  }
  readonly lastConnections: Pick<TargetList, 'all' | 'onChange'>
  readonly starredProfiles: Pick<TargetList, 'all' | 'put' | 'remove' | 'onChange'>
  readonly profileChoices: Pick<ProfileChoices, 'all' | 'set' | 'onChange'>
  readonly connection: {
    readonly state: ConnectionState
    onChange(listener: (state: ConnectionState) => void): () => void
    validate(target: ConnectionTarget): Promise<void>
    connect(target: ConnectionTarget, options: Pick<ConnectOptions, 'login' | 'preferTcp'>): Promise<unknown>
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
  readonly directory: Pick<OrganizationDirectory, 'isAvailable' | 'listing' | 'onChange' | 'search'>
  addOrganization(entry: { readonly id: string }): Promise<Instance>
  setLocation(instanceId: string, address: string): Promise<Instance>
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
