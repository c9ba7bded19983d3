import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import { isLoopbackHost } from '../../contract/safe-url'
import type { FindingItem } from '../../contract/doctor'
import type { ErrorReport } from '../../contract/error-codes'
import type { Settings } from '../../contract/settings'
import packageJson from '../../package.json' with { type: 'json' }
import { createInstancePortals } from './instance-portal'
import type { ConnectOptions } from '../connection/connect-options'
import { ExpiryWatch, type ExpiryWatchOptions, createSentNotices } from '../connection/expiry-watch'
import { renewSession, requireNoOther } from '../connection/renew-session'
import { CausewayError, report } from '../errors'
import type { Reporter } from '../reporter'
import type { FileTransport } from '../platform/http/file-transport'
import { createHttpClient, type HttpClient } from '../platform/http/http-client'
import { type ProxyFor, proxyFromVariables } from '../platform/http/proxies'
import type { Transport } from '../platform/http/transport'
import { captivePage, noticingCaptivePortals } from '../platform/network/captive-portal'
import { lazy } from './lazy'
import type { HolderKind } from '../connection/lock/tunnel-messages'
import { ConnectionLog } from './diagnostics/connection-log'
import type { Log } from '../platform/log/log'
import { loggedHttp } from '../platform/log/logged-http'
import { loggedTransport } from '../platform/log/logged-transport'
import { type FollowLog, openLog } from './diagnostics/open-log'
import type { SupportReport } from './diagnostics/support-report'
import { isUnderWay, logConnection } from './diagnostics/watch-connection'
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
import { createDiscovery } from '../portal/discovery/discovery'
import { EndpointsCache } from '../portal/discovery/endpoints-cache'
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
import { createFileSecretStore, secretsSchema } from '../platform/secret-store/file-secret-store'
import { createOsSecretStore } from '../platform/secret-store/os-secret-store'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { createJsonFile } from '../platform/storage/json-file'
import { type SettingsStore, createSettingsStore } from '../platform/settings/settings-store'
import type { SystemSwitch } from '../platform/settings/system-switch'
import type { ConfiguredSource } from '../platform/signed-list/source'
import { createTrafficSource } from '../platform/traffic/create-traffic-source'
import type { TrafficSource } from '../platform/traffic/traffic-source'
import type { TunnelBackend } from '../tunnel/tunnel'
import { type TunnelServices, createTunnelServices } from './tunnel-services'
import { type UnreadMessages, createUnreadMessages } from '../portal/read-state'
import type { Updates } from '../updates/updates'
import { updateSource } from './update-source'
import { after } from '../timer'

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

/** The outcome of ending a tunnel. */
export type EndedTunnel = 'none' | 'ended' | 'unknown'

/** The services that the window and the terminal command share, wired together. */
export interface Services extends TunnelServices, PortalServices, OrganizationServices {
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
  /**
   * Ends the tunnel to the instance, also in another process. Returns `unknown` if another process has a tunnel but doesn't
   * answer. Throws `connection/held-by-other` if the other process doesn't end it.
   */
  disconnectFrom(instanceId: string): Promise<EndedTunnel>
  /** Disconnects from the instance, then forgets it and all its data. Throws `usage/managed-instance`. */
  removeInstance(instanceId: string): Promise<EndedTunnel>
  session(instance: Instance): TokenSession
  readonly browserLogins: Pick<BrowserLogins, 'of' | 'onChange'>
  portal(instance: Instance, signal?: AbortSignal): Promise<Portal>
  /** Returns the validity of the stored login. Throws `secret-store/*`. */
  validity(instance: Instance): Promise<Validity | undefined>
  /** The certificates of an instance of version 2. Throws as PortalAccess.certificates. */
  certificates(instance: Instance, signal?: AbortSignal): ReturnType<PortalAccess['certificates']>
  /**
   * Renews the login with `logIn`, and reconnects with these options if it was connected, with `takeOver` also in another
   * process; with `profileId` it connects to that one in any case. After a failure everything is as before (main/connection/renew-session.ts).
   */
  renewSession(
    instance: Instance,
    options: ConnectOptions & { readonly takeOver?: boolean; readonly profileId?: string | undefined },
    logIn: (session: TokenSession) => Promise<void>,
  ): Promise<void>
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
  diagnose(): Promise<FindingItem[]>
  /** Tries the way to a service. Never throws but for a defect. */
  diagnoseService(instance: Instance): Promise<FindingItem[]>
  /** Throws `openvpn/not-found` or `openvpn/too-old` if the OpenVPN at this path can't be used. */
  checkOpenVpn(path: string): Promise<unknown>
  /** The path of the log file. */
  readonly logPath: string
  /** Returns the last lines of the log, oldest first. Throws `data/unreadable`. */
  logLines(count: number): Promise<string[]>
  /** Calls back with the last lines, then with those that any process adds, until the signal aborts. Throws `data/unreadable`. */
  readonly followLog: FollowLog
  /** Creates a support report without secrets. Throws `data/unreadable`. */
  supportReport(): Promise<SupportReport>
  /** Disconnects, and resolves when nothing is left running. */
  dispose(): Promise<void>
}

export function createServices(options: ServicesOptions): Services {
  const { dataDir, kind = 'terminal' } = options
  const now = options.now ?? (() => new Date())
  const { log, logPath, logLines, followLog, makeReport, keepRunMarker } = openLog({ dataDir, now })
  const reporter: Reporter = {
    notice: (notice) => {
      log.write('warning', 'app', 'notice', notice)
      options.onNotice(notice)
    },
    failure: (event, error) => {
      log.write('warning', 'app', event, { error })
    },
    defect: (error) => {
      log.write('error', 'app', 'defect', { error })
    },
  }
  const forgets = new ForgetRegistry()
  const stored = {
    dataDirectory: dataDir,
    now,
    reporter,
    registerForget: (forget: (instanceId: string) => Promise<void>) => {
      forgets.add('data', ({ id }) => forget(id))
    },
  }
  const proxyFor = options.proxyFor ?? ((url: URL) => Promise.resolve(proxyFromVariables(process.env, url)))
  const getTransport = lazy(async () => {
    const [{ Transport }, { unreadableAuthorities }] = await Promise.all([
      import('../platform/http/transport'),
      import('../platform/http/authorities'),
    ])
    for (const details of await unreadableAuthorities(process))
      reporter.notice(report('http/authorities-unreadable', { details }))
    return new Transport({ proxyFor })
  })
  const client = createHttpClient(getTransport)
  const logged = (http: HttpClient) => loggedHttp(http, log, () => performance.now())
  const http = logged(noticingCaptivePortals(client, getTransport))
  const transport = loggedTransport(fileTransport(getTransport), log, () => performance.now())
  const findPolicy = options.findPolicy ?? createPolicyFinder()
  const policy = policyReader(findPolicy)
  const settings = createSettingsStore({
    ...stored,
    policy,
    startAtLogin: options.startAtLogin,
  })
  const instances = createInstanceList({
    ...stored,
    policy,
    beforeOtherLogin: ({ id }) => requireNoTunnel(id),
  })
  forgets.add('entry', ({ id }) => instances.remove(id))
  const secretStore = createSecretStore(options, { now, reporter })
  const directory = new OrganizationDirectory({
    ...stored,
    http,
    source: async () => {
      const { url, keys } = options.discovery ?? {}
      return configuredSource(options.discovery, await settings.all({ discovery: url, discoveryKey: keys }))
    },
  })
  const cache = new EndpointsCache({
    discovery: createDiscovery({ http }),
    now: Date.now,
    apiAddress: (instance) => directory.apiAddress(instance),
    loginVersion: (place) => accessTo(place).session.apiVersion(),
    reporter,
  })
  forgets.add('entry', ({ id }) => {
    cache.forget(id)
    return Promise.resolve()
  })
  const browserLogins = new BrowserLogins()
  const issuerSenders = createIssuerSenders(stored)
  forgets.add('entry', ({ id }) => issuerSenders.remove(id))
  const accessTo = createInstancePortals({
    ...options,
    browserLogins,
    issuerSenders,
    instances,
    http,
    getTransport,
    secretStore,
    cache,
    beforeLogin: (instance, signal) => directory.beforeLogin(instance, signal),
    forgetLogin,
    reporter,
    // The portal couldn't be told any more when that tunnel ends.
    whileUnused: ({ id }, work) =>
      tunnel.withoutClaims(async () => {
        await requireNoOther({ tunnel, pid: process.pid, instanceId: id })
        await work()
      }),
    whileDisconnected: ({ id }, work) =>
      tunnel.withoutClaims(async () => {
        await tunnel.requireNoneTo(id)
        await work()
      }),
    now,
  })
  forgets.add('secrets', (instance) => accessTo(instance).session.forgetSecrets())

  const openVpnPath = async (): Promise<string | undefined> =>
    (await settings.all({ openvpnPath: options.openVpnPath })).openvpnPath || undefined
  const shared = { dataDir, instances, accessTo, reporter, now }
  const { settled, ...tunnelServices } = createTunnelServices({
    ...shared,
    kind,
    settings,
    openVpnPath,
    proxyFor,
    getTransport,
    registerForget: stored.registerForget,
    networkEvents: options.networkEvents,
    trafficBlock: options.trafficBlock,
    tunnels: options.tunnels,
  })
  const { connection, tunnel } = tunnelServices
  const { seen, ...portalServices } = createPortalServices({
    ...shared,
    http,
    transport,
    cache,
    secretStore,
    forgets,
  })

  const sent = createSentNotices({ ...stored, kind })
  const unreadMessages = createUnreadMessages(stored)
  let disposed = false

  logConnection(connection, log)
  const connectionLog = new ConnectionLog(now, reporter.defect)
  connection.onLog((line) => {
    connectionLog.add(line)
  })
  const endRun = keepRunMarker(connection, reporter)

  /** Throws `connection/in-use` if there is a tunnel to the instance, whose portal can only be told of its end with the login. */
  async function requireNoTunnel(instanceId: string): Promise<void> {
    const { state } = connection
    const isEnding = state.state === 'disconnecting' || state.state === 'failed'
    // A failure may have left a configuration at the portal.
    if (isEnding && state.target.instanceId === instanceId) await connection.disconnect()
    await tunnel.requireNoneTo(instanceId)
  }

  async function disconnectFrom(instanceId: string): Promise<EndedTunnel> {
    const { state } = connection
    if ('target' in state && state.target.instanceId === instanceId) {
      await connection.disconnect()
      if (isUnderWay(state)) return 'ended'
    }
    const present = await tunnel.use()
    if (present.use === 'free') {
      // The tokens may go next, and with them the last occasion.
      await accessTo(await instances.find(instanceId)).settle()
      return 'none'
    }
    if (present.use === 'silent') return 'unknown'
    const { pid, connection: other } = present.holder
    if (pid === process.pid || !('target' in other) || other.target.instanceId !== instanceId) return 'none'
    await tunnel.askToDisconnect()
    return 'ended'
  }

  /** Forgets the data of a login; if it replaces another login, also that user's manual settings. */
  async function forgetLogin(instance: Instance, replaced: boolean): Promise<void> {
    const { id } = instance
    await allOf([
      ...(replaced
        ? [
            () => portalServices.organizationCredentials(instance).remove(),
            () => instances.forgetIdentity(id),
            () => portalServices.attachmentTransfers.forgetInstance(id),
          ]
        : []),
      () => forgets.forget(instance, { which: ['data'] }),
    ])
  }

  const updates = lazy(async () => {
    const { Updates } = await import('../updates/updates')
    return new Updates({
      ...stored,
      http,
      source: async () => options.updateSource ?? updateSource(await policy()),
      isOn: async () => (await settings.all()).updates,
      random: Math.random,
      running: packageJson.version,
    })
  })

  /** The settings for diagnostics, which a policy with a mistake must not stop: that is what they are asked about. */
  async function knownSettings(): Promise<Settings> {
    const usable = await findPolicy().then(
      () => true,
      () => false,
    )
    return (usable ? settings : createSettingsStore(stored)).all({ openvpnPath: options.openVpnPath })
  }

  async function findings({ openvpnPath }: Settings): Promise<FindingItem[]> {
    const { diagnose } = await import('./diagnostics/doctor')
    return diagnose({
      secretStore,
      openVpnPath: openvpnPath || undefined,
      findPolicy,
      platform: process.platform,
      env: process.env,
      proxies: async () => {
        // One that can't be read is another finding's.
        const all = (await instances.all().catch(() => [])).map(({ address }) => new URL(address))
        const others = all.filter(({ hostname }) => !isLoopbackHost(hostname))
        // A PAC script, or NO_PROXY, may choose by the address.
        const asked = others.length > 0 ? others : [new URL('https://vpn.example.org/')]
        const found = await Promise.all(asked.map(proxyFor))
        return found.filter((proxy) => proxy !== undefined)
      },
      randomText: () => randomBytes(16).toString('hex'),
      dataDirectory: dataDir,
      isBlocked: async () => (await tunnel.use()).use === 'free' && (await tunnelServices.killSwitch.check()),
      ownDevices: async () => {
        const use = await tunnel.use()
        const connection = use.use === 'held' ? use.holder.connection : undefined
        return connection?.state === 'connected' && connection.device !== undefined ? [connection.device] : []
      },
      updates: async () => (await updates()).status(),
    })
  }

  const organizationServices = createOrganizationServices({
    directory,
    instances,
    cache,
    secretStore,
    seen,
    accessTo,
    disconnectFrom,
  })

  /** Removing deletes by id, step by step, and must not reach the same service that is added again meanwhile. */
  let removals: Promise<unknown> = Promise.resolve()

  async function removeInstance(instanceId: string): Promise<EndedTunnel> {
    const instance = await instances.find(instanceId)
    if (instance.managed === true) throw new CausewayError('usage/managed-instance')
    let ended: EndedTunnel = 'none'
    await forgets.forget(instance, {
      first: async () => {
        ended = await disconnectFrom(instance.id)
      },
    })
    return ended
  }

  return {
    instances,
    settings,
    ...tunnelServices,
    ...portalServices,
    log,
    connectionLog,
    secretsFile: options.secretStore === 'file' ? secretsFile(dataDir) : undefined,
    unreadMessages,
    browserLogins,
    trafficSource: createTrafficSource(process.platform),
    addInstance: async (entry, signal) => {
      await removals
      const { address } = await findInstance(entry.address, (place) =>
        cache.endpoints({ ...place, apiVersion: entry.apiVersion }, signal),
      )
      return instances.add({ ...entry, address })
    },
    directory,
    portalSearch: createPortalSearch({ http: logged(client) }),
    ...organizationServices,
    addOrganization: async (organization, signal) => {
      await removals
      return organizationServices.addOrganization(organization, signal)
    },
    removeInstance: (instanceId) => {
      const removal = removeInstance(instanceId)
      removals = Promise.allSettled([removals, removal])
      return removal
    },
    disconnectFrom,
    session: (instance) => accessTo(instance).session,
    portal: (instance, signal) => accessTo(instance).portal(signal),
    validity: (instance) => accessTo(instance).validity(),
    certificates: (instance, signal) => accessTo(instance).certificates(signal),
    renewSession: (instance, { takeOver = false, profileId, ...connectOptions }, logIn) => {
      const access = accessTo(instance)
      return renewSession({
        instanceId: instance.id,
        profileId,
        connection: {
          get state() {
            return connection.state
          },
          // After a quit no tunnel should start.
          connect: async (target, how) =>
            disposed ? undefined : connection.connect(target, { ...connectOptions, ...how }),
          disconnect: () => connection.disconnect(),
        },
        tunnel,
        pid: process.pid,
        takeOver,
        keepsTunnel: () => access.renewalKeepsTunnel(),
        validity: () => access.validity(),
        onSameEnd: () => {
          reporter.notice(report('session/not-extended', { details: { instance: instance.id } }))
        },
        beforeLogin: () => access.beforeRenewal(),
        logIn: () => logIn(access.session),
        begin: async () => (await access.portal()).begin?.(),
      })
    },
    watchExpiry: (watched) =>
      new ExpiryWatch({
        ...watched,
        sent,
        now,
        after,
        reporter,
      }),
    openBrowser: options.openBrowser,
    openNetworkPage: async (address) => options.openBrowser(await captivePage(getTransport, address)),
    transport,
    updates,
    diagnose: async () => findings(await knownSettings()),
    diagnoseService: async (instance) => {
      const { portalFindings } = await import('./diagnostics/portal-findings')
      return portalFindings({
        instance,
        transport: getTransport,
        http,
        lookup: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
        endpoints: () => cache.home(instance),
        hasUdpTunnel: async () => {
          const use = await tunnel.use()
          const connection = use.use === 'held' ? use.holder.connection : undefined
          return (
            connection?.state === 'connected' &&
            connection.target.instanceId === instance.id &&
            connection.remote.protocol === 'udp'
          )
        },
        now: Date.now,
      })
    },
    checkOpenVpn: async (path) => (await import('../tunnel/openvpn/find-openvpn')).findOpenVpn(path),
    logPath,
    logLines,
    followLog,
    supportReport: async () => {
      const known = await knownSettings()
      const managed = await settings.managed().catch(() => [])
      return makeReport({ settings: known, managed, findings: await findings(known) })
    },
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

/** Runs all steps in order, also after errors, and throws the first error at the end. */
async function allOf(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

function fileTransport(getTransport: () => Promise<Transport>): FileTransport {
  const loaded = lazy(async () => {
    const { createFileTransport } = await import('../platform/http/file-transport')
    return createFileTransport({ transport: await getTransport() })
  })
  return {
    put: async (url, file) => (await loaded()).put(url, file),
    get: async (url, request, read) => (await loaded()).get(url, request, read),
  }
}

function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

function createSecretStore(
  { secretStore, dataDir, signal }: ServicesOptions,
  { now, reporter }: { readonly now: () => Date; readonly reporter: Reporter },
): SecretStore {
  if (typeof secretStore === 'object') return secretStore
  if (secretStore === 'os') return createOsSecretStore({ signal })
  const path = secretsFile(dataDir)
  reporter.notice(report('secret-store/in-file', { details: { path } }))
  return createFileSecretStore({
    path,
    file: createJsonFile({
      path,
      schema: secretsSchema,
      version: 1,
      empty: {},
      now,
      shrinksInPlace: true,
      reporter,
    }),
  })
}
