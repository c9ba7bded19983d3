import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ConnectionState } from '../../contract/connection'
import type { ErrorReport } from '../../contract/error-codes'
import { createAccess } from './access'
import type { ConnectOptions } from '../connection/connection'
import { ExpiryWatch, type ExpiryWatchOptions } from '../connection/expiry-watch'
import { renewSession } from '../connection/renew-session'
import { createToldNotices } from '../connection/told-notices'
import type { Finding } from './diagnostics/doctor'
import { toErrorReport } from '../errors'
import type { FileTransport } from '../platform/http/file-transport'
import { createHttpClient } from '../platform/http/http-client'
import { loadOnce } from './load-once'
import type { HolderKind } from '../connection/lock/tunnel-messages'
import { ConnectionLog } from './diagnostics/connection-log'
import { learningSecretStore } from '../platform/log/learning-secret-store'
import type { Log } from '../platform/log/log'
import { loggedHttp } from '../platform/log/logged-http'
import { loggedTransport } from '../platform/log/logged-transport'
import { openLog } from './diagnostics/open-log'
import type { SupportReport } from './diagnostics/support-report'
import { logConnection } from './diagnostics/watch-connection'
import type { NetworkEvents } from '../platform/network/network-events'
import { type PortalServices, createPortalServices } from './portal-services'
import { createDiscovery } from '../portal/discovery/discovery'
import { EndpointsCache } from '../portal/discovery/endpoints-cache'
import { findInstance } from '../portal/discovery/find-instance'
import { ForgetRegistry } from '../portal/instance/forget-registry'
import type { Instance } from '../portal/instance/instance'
import { type InstanceList, createInstanceList } from '../portal/instance/instance-list'
import { BrowserLogins } from '../portal/oauth/browser-logins'
import type { OpenBrowser, TokenSession } from '../portal/oauth/token-session'
import type { PortalAccess } from '../portal/open-portal'
import type { Portal, Validity } from '../portal/portal'
import { createFileSecretStore, secretsSchema } from '../platform/secret-store/file-secret-store'
import { createOsSecretStore } from '../platform/secret-store/os-secret-store'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { createJsonFile } from '../platform/storage/json-file'
import { type SettingsStore, createSettingsStore } from '../platform/settings/settings-store'
import type { SystemSwitch } from '../platform/settings/system-switch'
import { createTrafficSource } from '../platform/traffic/create-traffic-source'
import type { TrafficSource } from '../platform/traffic/traffic-source'
import { type TunnelServices, createTunnelServices } from './tunnel-services'
import { type UnreadMessages, createUnreadMessages } from '../portal/read-state'

export interface ServicesOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly secretStore: 'os' | 'file'
  readonly openBrowser: OpenBrowser
  /** The browser has come back from a login. */
  readonly onBrowserReturned?: () => void
  /** Another process has the browser open for a login, which this one waits for. */
  readonly onLoginElsewhere?: () => void
  /** Something went wrong that stops nothing, such as a damaged file that was set aside. */
  readonly onNotice: (notice: ErrorReport) => void
  /** Which part of Causeway this is, for another one that finds the tunnel taken; default `terminal`. */
  readonly kind?: HolderKind
  /** An OpenVPN program to use instead of the setting's or the system's. */
  readonly openVpnPath?: string
  /** Who else knows of changes of the network and of sleep; the system itself is asked too. */
  readonly networkEvents?: NetworkEvents
  /** Where the setting `startAtLogin` is kept; without it, with the others. */
  readonly startAtLogin?: SystemSwitch
  /** The clock of this computer; default the system's. */
  readonly now?: () => Date
}

/** What there was of a tunnel before it was ended. */
export type EndedTunnel = 'none' | 'ended' | 'unknown'

/** Everything that the window and the terminal command can do, wired together. */
export interface Services extends TunnelServices, PortalServices {
  readonly instances: InstanceList
  readonly settings: SettingsStore
  readonly log: Log
  readonly connectionLog: ConnectionLog
  /** The counters of network devices; undefined where this system has none to tell. */
  readonly trafficSource: TrafficSource | undefined
  /**
   * Finds the instance's endpoints first, at the address or else at its origin: an address without a VPN service is not
   * added.
   */
  addInstance(
    entry: { readonly address: string; readonly clientId?: string },
    signal?: AbortSignal,
  ): Promise<Instance>
  /**
   * Ends the tunnel to the instance, also that of another process. Returns what there was: `unknown` where another process
   * has a tunnel and does not say to which instance. Throws `connection/held-by-other` where the other does not end it.
   */
  disconnectFrom(instanceId: string): Promise<EndedTunnel>
  /** Forgets the instance and everything kept of its login, after disconnecting from it; returns what that ended. */
  removeInstance(instanceId: string): Promise<EndedTunnel>
  session(instance: Instance): TokenSession
  readonly browserLogins: Pick<BrowserLogins, 'of' | 'onChange'>
  portal(instance: Instance, signal?: AbortSignal): Promise<Portal>
  /** How long the login gives access, by what is kept of it. Throws `secret-store/*`. */
  validity(instance: Instance): Promise<Validity | undefined>
  certificates(instance: Instance): PortalAccess['certificates']
  /**
   * A new login, made by `logIn`; connects again with these options where it was connected, also in another
   * process where `takeOver` allows that. When it fails, everything is as before (main/connection/renew-session.ts).
   */
  renewSession(
    instance: Instance,
    options: ConnectOptions & { readonly takeOver?: boolean },
    logIn: (session: TokenSession) => Promise<void>,
  ): Promise<void>
  /** The file that tokens, key pairs and passwords are kept in; undefined where they are in the key store. */
  readonly secretsFile: string | undefined
  readonly unreadMessages: UnreadMessages
  /** Tells of these logins that they end, each time once, also over restarts. */
  watchExpiry(options: Pick<ExpiryWatchOptions, 'logins' | 'refresh' | 'onNotice'>): ExpiryWatch
  /** Opens an http or https address. Throws `oauth/browser-not-opened`, also for any other. */
  readonly openBrowser: OpenBrowser
  diagnose(): Promise<Finding[]>
  /** Throws `openvpn/not-found`, `openvpn/too-old` where there is no OpenVPN that can be used at this path. */
  checkOpenVpn(path: string): Promise<unknown>
  /** The file that the log is written to. */
  readonly logPath: string
  /** The last lines of the log, oldest first. Throws `data/unreadable`. */
  logLines(count: number): Promise<string[]>
  /** What support needs to know, free of secrets. Throws `data/unreadable`. */
  supportReport(): Promise<SupportReport>
  /** Disconnects, and resolves when nothing is left running. */
  dispose(): Promise<void>
}

export function createServices(options: ServicesOptions): Services {
  const { dataDir, kind = 'terminal' } = options
  const now = options.now ?? (() => new Date())
  const { log, redactor, logPath, logLines, makeReport, keepRunMarker } = openLog({ dataDir, now })
  const onNotice = (notice: ErrorReport) => {
    log.write('warning', 'app', 'notice', { ...notice })
    options.onNotice(notice)
  }
  const onDefect = (error: unknown) => {
    log.write('error', 'app', 'defect', { error })
  }
  const forgets = new ForgetRegistry()
  const stored = {
    dataDirectory: dataDir,
    now,
    onDefect,
    onDamaged: (movedTo: string) => {
      onNotice(damagedFile(movedTo))
    },
    registerForget: (forget: (instanceId: string) => Promise<void>) => {
      forgets.add('data', ({ id }) => forget(id))
    },
  }
  const http = loggedHttp(createHttpClient(), log, () => performance.now())
  const settings = createSettingsStore({
    ...stored,
    ...(options.startAtLogin === undefined ? {} : { startAtLogin: options.startAtLogin }),
  })
  const instances = createInstanceList(stored)
  forgets.add('entry', ({ id }) => instances.remove(id))
  const secretStore = learningSecretStore(createSecretStore({ ...options, onNotice }, now), redactor)
  const cache = new EndpointsCache({ discovery: createDiscovery({ http }), now: Date.now, onDefect })
  forgets.add('entry', ({ id }) => {
    cache.forget(id)
    return Promise.resolve()
  })
  const browserLogins = new BrowserLogins()
  const accessTo = createAccess({
    ...options,
    browserLogins,
    http,
    secretStore,
    cache,
    forgetLogin,
    onNotice,
    now,
  })
  forgets.add('secrets', (instance) => accessTo(instance).session.forgetSecrets())

  const openVpnPath = async (): Promise<string | undefined> =>
    options.openVpnPath ?? ((await settings.all()).openvpnPath || undefined)
  const shared = { dataDir, instances, accessTo, onNotice, now }
  const { settled, ...tunnelServices } = createTunnelServices({
    ...shared,
    kind,
    settings,
    openVpnPath,
    onDamaged: stored.onDamaged,
    registerForget: stored.registerForget,
    onDefect,
    ...(options.networkEvents === undefined ? {} : { networkEvents: options.networkEvents }),
  })
  const { connection, tunnel } = tunnelServices
  const { seen, ...portalServices } = createPortalServices({
    ...shared,
    http,
    transport: loggedTransport(fileTransport(), log, () => performance.now()),
    cache,
    secretStore,
    forgets,
    onNotKept: (error) => {
      log.write('warning', 'app', 'not-kept', { error })
    },
  })

  const told = createToldNotices({ ...stored, kind })
  const unreadMessages = createUnreadMessages({
    ...stored,
    onError: (error) => {
      onNotice(toErrorReport(error))
    },
  })
  let disposed = false

  logConnection(connection, log)
  const connectionLog = new ConnectionLog(redactor, now, onDefect)
  connection.onLog((line) => {
    connectionLog.add(line)
  })
  const endRun = keepRunMarker(connection, onNotice)

  async function disconnectFrom(instanceId: string): Promise<EndedTunnel> {
    const { state } = connection
    if ('target' in state && state.target.instanceId === instanceId && isUnderWay(state)) {
      await connection.disconnect()
      return 'ended'
    }
    const present = await tunnel.use()
    if (present.use === 'free') return 'none'
    if (present.use === 'silent') return 'unknown'
    const { pid, connection: other } = present.holder
    if (pid === process.pid || !('target' in other) || other.target.instanceId !== instanceId) return 'none'
    await tunnel.askToDisconnect()
    return 'ended'
  }

  /** What every store keeps of a login; where there was one before, also what its person has set up by hand. */
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

  async function findings(): Promise<Finding[]> {
    const { diagnose } = await import('./diagnostics/doctor')
    return diagnose({
      secretStore,
      openVpnPath: await openVpnPath(),
      platform: process.platform,
      env: process.env,
      randomText: () => randomBytes(16).toString('hex'),
    })
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
      const { address } = await findInstance(entry.address, (place) => cache.endpoints(place, signal))
      return instances.add({ ...entry, address })
    },
    removeInstance: async (instanceId) => {
      const instance = await instances.find(instanceId)
      let ended: EndedTunnel = 'none'
      await forgets.forget(instance, {
        first: async () => {
          ended = await disconnectFrom(instance.id)
        },
      })
      return ended
    },
    disconnectFrom,
    session: (instance) => accessTo(instance).session,
    portal: (instance, signal) => accessTo(instance).portal(signal),
    validity: (instance) => accessTo(instance).validity(),
    certificates: (instance) => accessTo(instance).certificates,
    renewSession: (instance, { takeOver = false, ...connectOptions }, logIn) => {
      const access = accessTo(instance)
      return renewSession({
        instanceId: instance.id,
        connection: {
          get state() {
            return connection.state
          },
          // Who quits in the middle wants no tunnel any more.
          connect: async (target, how) =>
            disposed ? undefined : connection.connect(target, { ...connectOptions, ...how }),
          disconnect: () => connection.disconnect(),
        },
        tunnel,
        pid: process.pid,
        takeOver,
        logIn: () => logIn(access.session),
        begin: async () => (await access.portal()).begin?.(),
      })
    },
    watchExpiry: (watched) =>
      new ExpiryWatch({
        ...watched,
        told,
        now,
        after: (milliseconds, then) => {
          // Nobody waits for it to end the process.
          const timer = setTimeout(then, milliseconds).unref()
          return () => {
            clearTimeout(timer)
          }
        },
        onError: (error) => {
          onNotice(toErrorReport(error))
        },
      }),
    openBrowser: options.openBrowser,
    diagnose: findings,
    checkOpenVpn: async (path) => (await import('../tunnel/openvpn/find-openvpn')).findOpenVpn(path),
    logPath,
    logLines,
    supportReport: async () => makeReport({ settings: await settings.all(), findings: await findings() }),
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

function isUnderWay({ state }: ConnectionState): boolean {
  return state !== 'idle' && state !== 'disconnected' && state !== 'failed'
}

/** Runs each step after the one before, also where that fails, and throws the first error at the end. */
async function allOf(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const errors: unknown[] = []
  for (const step of steps) await step().catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw errors[0]
}

function fileTransport(): FileTransport {
  const loaded = loadOnce(async () => (await import('../platform/http/file-transport')).createFileTransport())
  return {
    put: async (url, file) => (await loaded()).put(url, file),
    get: async (url, request, read) => (await loaded()).get(url, request, read),
  }
}

function secretsFile(dataDir: string): string {
  return join(dataDir, 'secrets.json')
}

function createSecretStore(options: ServicesOptions, now: () => Date): SecretStore {
  if (options.secretStore === 'os') return createOsSecretStore()
  const path = secretsFile(options.dataDir)
  options.onNotice({
    code: 'secret-store/in-file',
    message: `Your logins are stored in the file ${path}, not in a key store. Anyone who can read your files can use them.`,
  })
  return createFileSecretStore({
    path,
    file: createJsonFile({
      path,
      schema: secretsSchema,
      version: 1,
      empty: {},
      now,
      shrinksInPlace: true,
      onDamaged: (movedTo) => {
        options.onNotice(damagedFile(movedTo))
      },
    }),
  })
}

function damagedFile(movedTo: string): ErrorReport {
  return {
    code: 'data/damaged',
    message: `One of Causeway's files was damaged, so Causeway continued without it. The damaged file was kept as ${movedTo}.`,
    details: { movedTo },
  }
}
