import packageJson from '../../package.json' with { type: 'json' }
import type { Connection } from '../connection/connection'
import { ExpiryWatch, type ExpiryWatchOptions, createSentNotices } from '../connection/expiry-watch'
import { TunnelLock } from '../connection/lock/tunnel-lock'
import type { FileTransport } from '../platform/http/file-transport'
import type { Log } from '../platform/log/log'
import { captivePage } from '../platform/network/captive-portal'
import type { SettingsStore } from '../platform/settings/settings-store'
import type { ConfiguredSource } from '../platform/signed-list/source'
import { createTrafficSource } from '../platform/traffic/create-traffic-source'
import type { TrafficSource } from '../platform/traffic/traffic-source'
import { findInstance } from '../portal/discovery/find-instance'
import type { Instance } from '../portal/instance/instance'
import type { InstanceList, NewInstance } from '../portal/instance/instance-list'
import type { BrowserLogins } from '../portal/oauth/browser-logins'
import type { OpenBrowser, TokenSession } from '../portal/oauth/token-session'
import type { PortalAccess } from '../portal/open-portal'
import type { OrganizationDirectory } from '../portal/organization-list/organization-directory'
import type { Portal, Validity } from '../portal/portal'
import { type UnreadMessages, createUnreadMessages } from '../portal/read-state'
import { after } from '../timer'
import type { Updates, UpdatesOptions } from '../updates/updates'
import { type AppServices, createAppServices } from './app-services'
import { type BaseServices, createBaseServices } from './base-services'
import { secretsFile } from './configured-secret-store'
import { ConnectionLog } from './diagnostics/connection-log'
import { type Diagnostics, createDiagnostics } from './diagnostics/diagnostics-services'
import type { FollowLog } from './diagnostics/open-log'
import { logConnection } from './diagnostics/watch-connection'
import { type InstanceEndings, createInstanceEndings } from './instance-endings'
import { createInstanceServices } from './instance-services'
import { lazy } from './lazy'
import { type OrganizationServices, createOrganizationServices } from './organization-services'
import type { policyReader } from './policy'
import { type PortalSearch, createPortalSearch } from './portal-search'
import { type PortalServices, createPortalServices } from './portal-services'
import type { ServicesOptions } from './services-options'
import { type RenewSession, createRenewSession } from './session-renewal'
import { type TunnelServices, createTunnelServices } from './tunnel-services'
import { updateSource } from './update-source'

/** The services that the window and the terminal command share, wired together. */
export interface Services
  extends
    TunnelServices,
    PortalServices,
    AppServices,
    OrganizationServices,
    Diagnostics,
    Pick<InstanceEndings, 'disconnectFrom' | 'removeInstance'> {
  readonly instances: InstanceList
  readonly settings: SettingsStore
  readonly log: Log
  readonly connectionLog: ConnectionLog
  /** The counters of network devices; undefined if the system has none. */
  readonly trafficSource: TrafficSource | undefined
  /**
   * Adds an instance after discovery at the address, or else at its origin. Throws if there is no VPN service.
   */
  addInstance(entry: NewInstance, signal?: AbortSignal): Promise<Instance>
  /** The organizations of the configured lists. */
  readonly directory: OrganizationDirectory
  /** Portals at the domains that people name. */
  readonly portalSearch: PortalSearch
  session(instance: Instance): TokenSession
  readonly browserLogins: Pick<BrowserLogins, 'of' | 'onChange'>
  portal(instance: Instance, signal?: AbortSignal): Promise<Portal>
  /** Returns the validity of the stored login. Throws `secret-store/*`. */
  validity(instance: Instance): Promise<Validity | undefined>
  /** The certificates of an instance of version 2. Throws as PortalAccess.certificates. */
  certificates(instance: Instance, signal?: AbortSignal): ReturnType<PortalAccess['certificates']>
  readonly renewSession: RenewSession
  /** The file with tokens, key pairs and passwords; undefined if they are in the key store. */
  readonly secretsFile: string | undefined
  readonly unreadMessages: UnreadMessages
  /** Sends expiry notices for these logins, each once, also over restarts. */
  watchExpiry(options: Pick<ExpiryWatchOptions, 'logins' | 'refresh' | 'onNotice'>): ExpiryWatch
  /** Opens an http(s) URL. Throws `oauth/browser-not-opened`, also for other URLs. */
  readonly openBrowser: OpenBrowser
  /** Opens the page on which a network asks to sign in before it leads to this address. */
  openNetworkPage(address: URL): Promise<void>
  /** Transfers of files. The code is loaded with the first one. */
  readonly transport: FileTransport
  /** New versions of Causeway. The code is loaded with the first call. */
  updates(): Promise<Updates>
  /** Throws `openvpn/not-found` or `openvpn/too-old` if the OpenVPN at this path can't be used. */
  checkOpenVpn(path: string): Promise<unknown>
  /** The path of the log file. */
  readonly logPath: string
  /** Returns the last lines of the log, oldest first. Throws `data/unreadable`. */
  logLines(count: number): Promise<string[]>
  /** Calls back with the last lines, then with those that any process adds, until the signal aborts. Throws `data/unreadable`. */
  readonly followLog: FollowLog
  /** Disconnects, and resolves when nothing is left running. */
  dispose(): Promise<void>
}

/** Builds the services of one process, each after what it needs. */
export function createServices(options: ServicesOptions): Services {
  const { dataDir, kind = 'terminal', openBrowser } = options
  const base = createBaseServices(options)
  const { forgets, getTransport, now, openLog, policy, reporter, settings, stored } = base
  const lock = new TunnelLock({ dataDir, kind, now })
  const { accessTo, browserLogins, cache, directory, instances } = createInstanceServices(options, base, lock)
  const shared = { ...base, dataDir, lock, instances, accessTo, cache }
  const { settled, ...tunnelServices } = createTunnelServices({
    ...shared,
    registerForget: stored.registerForget,
    networkEvents: options.networkEvents,
    trafficBlock: options.trafficBlock,
    tunnels: options.tunnels,
  })
  const { connection } = tunnelServices
  const { offlineStore, ...portalServices } = createPortalServices(shared)
  const endings = createInstanceEndings({ connection, lock, instances, accessTo, forgets })
  instances.beforeOtherLogin(({ id }) => endings.requireNoTunnel(id))
  const updates = lazyUpdates({ ...stored, http: base.http, settings, policy, source: options.updateSource })
  const connectionLog = createConnectionLog(connection, base)
  const endRun = openLog.keepRunMarker(connection, reporter)
  const sent = createSentNotices({ ...stored, kind })
  const disposal = new AbortController()

  return {
    instances,
    settings,
    ...tunnelServices,
    ...createAppServices(settings),
    ...portalServices,
    ...createOrganizationServices({ ...shared, ...endings, directory, offlineStore }),
    ...createDiagnostics({
      ...shared,
      openVpnPath: options.openVpnPath,
      updates,
      killSwitch: tunnelServices.killSwitch,
      profileChoices: tunnelServices.profileChoices,
      makeReport: openLog.makeReport,
    }),
    log: openLog.log,
    connectionLog,
    secretsFile: options.secretStore === 'file' ? secretsFile(dataDir) : undefined,
    unreadMessages: createUnreadMessages(stored),
    browserLogins,
    trafficSource: createTrafficSource(process.platform),
    addInstance: async (entry, signal) => {
      await endings.removed()
      const { address } = await findInstance(entry.address, (place) =>
        cache.endpoints({ ...place, apiVersion: entry.apiVersion }, signal),
      )
      return instances.add({ ...entry, address })
    },
    directory,
    portalSearch: createPortalSearch({ http: base.httpOfAnyone }),
    removeInstance: endings.removeInstance,
    disconnectFrom: endings.disconnectFrom,
    session: (instance) => accessTo(instance).session,
    portal: (instance, signal) => accessTo(instance).portal(signal),
    validity: (instance) => accessTo(instance).validity(),
    certificates: (instance, signal) => accessTo(instance).certificates(signal),
    renewSession: createRenewSession({ connection, lock, accessTo, reporter, disposal: disposal.signal }),
    watchExpiry: (watched) => new ExpiryWatch({ ...watched, sent, now, after, reporter }),
    openBrowser,
    openNetworkPage: async (address) => openBrowser(await captivePage(getTransport, address)),
    transport: base.transport,
    updates,
    checkOpenVpn: async (path) => (await import('../tunnel/openvpn/find-openvpn')).findOpenVpn(path),
    logPath: openLog.logPath,
    logLines: openLog.logLines,
    followLog: openLog.followLog,
    dispose: async () => {
      disposal.abort()
      await portalServices.attachmentTransfers.dispose()
      await connection.disconnect()
      await settled()
      await offlineStore.written()
      await endRun()
    },
  }
}

/** Returns the log of connections, which also goes into the log file. */
function createConnectionLog(
  connection: Connection,
  { now, openLog, reporter }: Pick<BaseServices, 'now' | 'openLog' | 'reporter'>,
): ConnectionLog {
  logConnection(connection, openLog.log)
  const connectionLog = new ConnectionLog(now, reporter.defect)
  connection.onLog((line) => {
    connectionLog.add(line)
  })
  return connectionLog
}

function lazyUpdates({
  settings,
  policy,
  source,
  ...parts
}: Pick<UpdatesOptions, 'dataDirectory' | 'now' | 'reporter' | 'http'> & {
  readonly settings: SettingsStore
  readonly policy: ReturnType<typeof policyReader>
  readonly source: ConfiguredSource | undefined
}): () => Promise<Updates> {
  return lazy(async () => {
    const { Updates } = await import('../updates/updates')
    return new Updates({
      ...parts,
      source: async () => source ?? updateSource(await policy()),
      isOn: async () => (await settings.all()).updates,
      random: Math.random,
      running: packageJson.version,
    })
  })
}
