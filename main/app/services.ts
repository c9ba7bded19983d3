import type { ErrorReport } from '../../contract/error-codes'
import packageJson from '../../package.json' with { type: 'json' }
import { type InstancePortalOptions, createInstancePortals } from './instance-portal'
import { createSecretStore, secretsFile } from './configured-secret-store'
import { createHttpServices } from './http-services'
import { type InstanceEndings, createInstanceEndings } from './instance-endings'
import { type RenewSession, createRenewSession } from './session-renewal'
import { ExpiryWatch, type ExpiryWatchOptions, createSentNotices } from '../connection/expiry-watch'
import { requireNoOther } from '../connection/renew-session'
import type { Reporter } from '../reporter'
import type { FileTransport } from '../platform/http/file-transport'
import { type ProxyFor, proxyFromVariables } from '../platform/http/proxies'
import { captivePage } from '../platform/network/captive-portal'
import { lazy } from './lazy'
import { TunnelLock } from '../connection/lock/tunnel-lock'
import type { HolderKind } from '../connection/lock/tunnel-messages'
import { ConnectionLog } from './diagnostics/connection-log'
import { type Diagnostics, createDiagnostics } from './diagnostics/diagnostics-services'
import type { Log } from '../platform/log/log'
import { type FollowLog, openLog } from './diagnostics/open-log'
import { logConnection } from './diagnostics/watch-connection'
import type { NetworkEvents } from '../platform/network/network-events'
import {
  configuredSource,
  createOrganizationServices,
  type OrganizationServices,
} from './organization-services'
import { createPolicyFinder, type FindPolicy, policyReader } from './policy'
import { createPortalSearch, type PortalSearch } from './portal-search'
import type { TrafficBlock } from '../privilege/traffic-block'
import { type PortalServices, createPortalServices } from './portal-services'
import { findInstance } from '../portal/discovery/find-instance'
import { ForgetRegistry } from '../portal/instance/forget-registry'
import type { Instance } from '../portal/instance/instance'
import { type InstanceList, type NewInstance, createInstanceList } from '../portal/instance/instance-list'
import { OrganizationDirectory } from '../portal/organization-list/organization-directory'
import { BrowserLogins } from '../portal/oauth/browser-logins'
import { createIssuerSenders } from '../portal/instance/issuer-senders'
import type { OpenBrowser, TokenSession } from '../portal/oauth/token-session'
import type { PortalAccess } from '../portal/open-portal'
import type { Portal, Validity, VpnProtocol } from '../portal/portal'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { type SettingsStore, createSettingsStore } from '../platform/settings/settings-store'
import type { SystemSwitch } from '../platform/settings/system-switch'
import type { ConfiguredSource } from '../platform/signed-list/source'
import { createTrafficSource } from '../platform/traffic/create-traffic-source'
import type { TrafficSource } from '../platform/traffic/traffic-source'
import type { TunnelBackend } from '../tunnel/tunnel'
import { type TunnelServices, createTunnelServices } from './tunnel-services'
import { type UnreadMessages, createUnreadMessages } from '../portal/read-state'
import { updateSource } from './update-source'
import { after } from '../timer'
import type { Updates, UpdatesOptions } from '../updates/updates'

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
  readonly runnable?: () => readonly VpnProtocol[]
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

/** The services that the window and the terminal command share, wired together. */
export interface Services
  extends
    TunnelServices,
    PortalServices,
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

export function createServices(options: ServicesOptions): Services {
  const { dataDir, kind = 'terminal' } = options
  const now = options.now ?? (() => new Date())
  const opened = openLog({ dataDir, now })
  const { log, logPath, logLines, followLog } = opened
  const reporter = createReporter(log, options.onNotice)
  const proxyFor = options.proxyFor ?? ((url: URL) => Promise.resolve(proxyFromVariables(process.env, url)))
  const { getTransport, http, httpOfAnyone, transport } = createHttpServices({ proxyFor, log, reporter })

  const forgets = new ForgetRegistry()
  const personForgets = new ForgetRegistry()
  const stored = {
    dataDirectory: dataDir,
    now,
    reporter,
    registerForget: (forget: (instanceId: string) => Promise<void>) => {
      forgets.add('data', ({ id }) => forget(id))
    },
  }
  const findPolicy = options.findPolicy ?? createPolicyFinder()
  const policy = policyReader(findPolicy)
  const settings = createSettingsStore({ ...stored, policy, startAtLogin: options.startAtLogin })
  const openVpnPath = async (): Promise<string | undefined> =>
    (await settings.all({ openvpnPath: options.openVpnPath })).openvpnPath || undefined
  const secretStore = createSecretStore({
    store: options.secretStore,
    dataDir,
    signal: options.signal,
    now,
    reporter,
  })
  const directory = createDirectory({ ...stored, http }, settings, options.discovery)
  const lock = new TunnelLock({ dataDir, kind, now })

  const instances = createInstanceList({ ...stored, policy })
  const browserLogins = new BrowserLogins()
  const issuerSenders = createIssuerSenders(stored)
  const { accessTo, cache } = createInstancePortals({
    ...options,
    browserLogins,
    issuerSenders,
    instances,
    http,
    getTransport,
    secretStore,
    directory,
    reporter,
    now,
    forgetLogin: (instance, replaced) =>
      forgets.forget(instance, {
        which: ['data'],
        ...(replaced && { first: (each) => personForgets.forget(each) }),
      }),
    ...whileUnclaimed(lock),
  })
  forgets.add('secrets', (instance) => accessTo(instance).session.forgetSecrets())
  forgets.add('entry', ({ id }) => instances.remove(id))
  forgets.add('entry', ({ id }) => {
    cache.forget(id)
    return Promise.resolve()
  })
  forgets.add('entry', ({ id }) => issuerSenders.remove(id))
  personForgets.add('data', ({ id }) => instances.forgetIdentity(id))

  const shared = { dataDir, instances, accessTo, reporter, now }
  const { settled, ...tunnelServices } = createTunnelServices({
    ...shared,
    lock,
    settings,
    openVpnPath,
    proxyFor,
    getTransport,
    registerForget: stored.registerForget,
    networkEvents: options.networkEvents,
    trafficBlock: options.trafficBlock,
    tunnels: options.tunnels,
  })
  const { connection } = tunnelServices
  const { seen, ...portalServices } = createPortalServices({
    ...shared,
    http,
    transport,
    cache,
    secretStore,
    forgets,
    personForgets,
  })
  const endings = createInstanceEndings({ connection, lock, instances, accessTo, forgets })
  const { disconnectFrom, removeInstance } = endings
  instances.beforeOtherLogin(({ id }) => endings.requireNoTunnel(id))
  const organizationServices = createOrganizationServices({
    directory,
    instances,
    cache,
    secretStore,
    seen,
    accessTo,
    disconnectFrom,
  })
  const updates = lazyUpdates({ ...stored, http, settings, policy, source: options.updateSource })
  const diagnostics = createDiagnostics({
    stored,
    settings,
    openVpnPath: options.openVpnPath,
    findPolicy,
    secretStore,
    instances,
    proxyFor,
    updates,
    lock,
    killSwitch: tunnelServices.killSwitch,
    getTransport,
    http,
    cache,
    makeReport: opened.makeReport,
  })

  logConnection(connection, log)
  const connectionLog = new ConnectionLog(now, reporter.defect)
  connection.onLog((line) => {
    connectionLog.add(line)
  })
  const endRun = opened.keepRunMarker(connection, reporter)
  const sent = createSentNotices({ ...stored, kind })
  let disposed = false

  return {
    instances,
    settings,
    ...tunnelServices,
    ...portalServices,
    ...organizationServices,
    ...diagnostics,
    log,
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
    portalSearch: createPortalSearch({ http: httpOfAnyone }),
    addOrganization: async (organization, signal) => {
      await endings.removed()
      return organizationServices.addOrganization(organization, signal)
    },
    removeInstance,
    disconnectFrom,
    session: (instance) => accessTo(instance).session,
    portal: (instance, signal) => accessTo(instance).portal(signal),
    validity: (instance) => accessTo(instance).validity(),
    certificates: (instance, signal) => accessTo(instance).certificates(signal),
    renewSession: createRenewSession({ connection, lock, accessTo, reporter, isDisposed: () => disposed }),
    watchExpiry: (watched) => new ExpiryWatch({ ...watched, sent, now, after, reporter }),
    openBrowser: options.openBrowser,
    openNetworkPage: async (address) => options.openBrowser(await captivePage(getTransport, address)),
    transport,
    updates,
    checkOpenVpn: async (path) => (await import('../tunnel/openvpn/find-openvpn')).findOpenVpn(path),
    logPath,
    logLines,
    followLog,
    dispose: async () => {
      disposed = true
      await portalServices.attachmentTransfers.dispose()
      await connection.disconnect()
      await settled()
      await seen.written()
      await endRun()
    },
  }
}

function createReporter(log: Log, onNotice: ServicesOptions['onNotice']): Reporter {
  return {
    notice: (notice) => {
      log.write('warning', 'app', 'notice', notice)
      onNotice(notice)
    },
    failure: (event, error) => {
      log.write('warning', 'app', event, { error })
    },
    defect: (error) => {
      log.write('error', 'app', 'defect', { error })
    },
  }
}

function createDirectory(
  parts: Omit<ConstructorParameters<typeof OrganizationDirectory>[0], 'source'>,
  settings: SettingsStore,
  given: ServicesOptions['discovery'],
): OrganizationDirectory {
  return new OrganizationDirectory({
    ...parts,
    source: async () => {
      const { url, keys } = given ?? {}
      return configuredSource(given, await settings.all({ discovery: url, discoveryKey: keys }))
    },
  })
}

/** Runs work on a login while no process can take the tunnel: the portal couldn't be told any more when that one ends. */
function whileUnclaimed(lock: TunnelLock): Pick<InstancePortalOptions, 'whileUnused' | 'whileDisconnected'> {
  return {
    whileUnused: ({ id }, work) =>
      lock.withoutClaims(async () => {
        await requireNoOther({ tunnel: lock, pid: process.pid, instanceId: id })
        await work()
      }),
    whileDisconnected: ({ id }, work) =>
      lock.withoutClaims(async () => {
        await lock.requireNoneTo(id)
        await work()
      }),
  }
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
