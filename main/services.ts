import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createAccess } from './access'
import type { AttachmentTransfers } from './attachments/attachment-transfers'
import type { AttachmentsClient } from './attachments/attachments-client'
import { createAttachmentTransfers } from './attachments/create-attachment-transfers'
import { createAttachmentsClient } from './attachments/create-attachments-client'
import { Connection, type ConnectOptions } from './connection/connection'
import { createLastConnections, type LastConnections } from './connection/last-connections'
import { prepare, type Preparation } from './connection/prepare'
import { type ContentClient, createContentClient } from './content/content-client'
import { ContentImages } from './content/content-images'
import { createFetchImage } from './content/fetch-image'
import { diagnose, type Finding } from './doctor/doctor'
import { toErrorReport, type ErrorReport } from './errors'
import { ExpiryWatch, type ExpiryWatchOptions } from './expiry/expiry-watch'
import { renewSession } from './expiry/renew-session'
import { createToldNotices } from './expiry/told-notices'
import { createFileTransport } from './http/file-transport'
import { createHttpClient } from './http/http-client'
import { retryingHttp } from './http/retrying-http'
import { parseAddress } from './instance/address'
import { createDiscovery } from './instance/discovery'
import { EndpointsCache } from './instance/endpoints-cache'
import { findService } from './instance/find-service'
import type { Instance, ServiceAddresses } from './instance/instance'
import { createInstanceList, type InstanceList } from './instance/instance-list'
import type { InstanceKeyPairs } from './key-pair/instance-key-pairs'
import { learningSecretStore } from './log/learning-secret-store'
import { loggedHttp } from './log/logged-http'
import { loggedTransport } from './log/logged-transport'
import { openLog } from './log/open-log'
import type { Log } from './log/log'
import type { SupportReport } from './log/support-report'
import { logConnection } from './log/watch-connection'
import { TunnelLock } from './lock/tunnel-lock'
import type { HolderKind } from './lock/tunnel-messages'
import { watchFile } from './lock/watch-file'
import type { OpenBrowser, TokenSession } from './oauth/token-session'
import { buildConfiguration } from './openvpn/configuration'
import { type KillSwitchHere, killSwitchHere } from './openvpn/kill-switch-here'
import { linuxBootId, TrafficBlock } from './openvpn/traffic-block'
import { createTunnelRights } from './openvpn/tunnel-rights'
import type { OpenVpnConfiguration } from './openvpn/tunnel'
import { OrganizationCredentials } from './organizations/organization-credentials'
import { createOrganizationsClient, type OrganizationsClient } from './organizations/organizations-client'
import { type ClientParts, createServiceReads, type ServiceReads } from './service-reads'
import { createSeenStore } from './seen/seen-store'
import { createFileSecretStore, secretsSchema } from './secret-store/file-secret-store'
import { createOsSecretStore } from './secret-store/os-secret-store'
import type { SecretStore } from './secret-store/secret-store'
import { createJsonFile } from './settings/json-file'
import { createSettingsStore, type SettingsStore } from './settings/settings-store'
import type { SystemSwitch } from './settings/system-switch'
import { connectionSlice } from './connection/connection-slice'
import { linuxNetworkEvents } from './network/linux-network-events'
import { macosNetworkEvents } from './network/macos-network-events'
import { windowsNetworkEvents } from './network/windows-network-events'
import { joinNetworkEvents, type NetworkEvents } from './network/network-events'
import { createVpnApi } from './vpn-api/create-vpn-api'
import type { VpnApi } from './vpn-api/vpn-api'

export interface ServicesOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly secretStore: 'os' | 'file'
  readonly openBrowser: OpenBrowser
  /** The browser has come back from a login. */
  readonly onBrowserReturned?: () => void
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

/** Everything that the window and the terminal command can do, wired together. */
export interface Services {
  readonly instances: InstanceList
  readonly settings: SettingsStore
  readonly connection: Connection
  readonly lastConnections: LastConnections
  readonly log: Log
  /** The one tunnel that this process shares with others of the same data directory: who has it. */
  readonly tunnel: TunnelLock
  /** Finds the instance's endpoints first: an address without a VPN service is not added. */
  addInstance(
    entry: { readonly address: string; readonly clientId?: string },
    signal?: AbortSignal,
  ): Promise<Instance>
  /** Forgets the instance, its tokens and its key pair, after disconnecting from it. */
  removeInstance(instanceId: string): Promise<void>
  session(instance: Instance): TokenSession
  vpnApi(instance: Instance): VpnApi
  keyPairs(instance: Instance): InstanceKeyPairs
  /**
   * A new login, made by `logIn`, and certificate; connects again with these options where it was connected, also in another
   * process where `takeOver` allows that. When it fails, everything is as before (main/expiry/renew-session.ts).
   */
  renewSession(
    instance: Instance,
    options: ConnectOptions & { readonly takeOver?: boolean },
    logIn: (session: TokenSession) => Promise<void>,
  ): Promise<void>
  /** Tells of these logins that they end, each time once, also over restarts. */
  watchExpiry(options: Pick<ExpiryWatchOptions, 'logins' | 'refresh' | 'onNotice'>): ExpiryWatch
  /** The configuration that connecting to the profile would give to OpenVPN; holds the private key. */
  configuration(
    instance: Instance,
    profileId: string,
    options: { readonly login: 'allowed' | 'never'; readonly signal: AbortSignal },
  ): Promise<OpenVpnConfiguration>
  /** Where the instance itself says that its services are. Throws what discovery throws. */
  offeredServices(instance: Instance, signal?: AbortSignal): Promise<ServiceAddresses>
  /** The attachments service. Throws `attachments/not-offered`, and what finding the instance's endpoints throws. */
  attachments(instance: Instance, signal?: AbortSignal): Promise<AttachmentsClient>
  /** Their files on the way, of all instances. */
  readonly attachmentTransfers: AttachmentTransfers
  /** The organization service. Throws `organizations/not-offered`, and what finding the instance's endpoints throws. */
  organizations(instance: Instance, signal?: AbortSignal): Promise<OrganizationsClient>
  /** Who the person is there, where it asks. */
  organizationCredentials(instance: Instance): OrganizationCredentials
  /** The instance's news. Throws `content/not-offered` and what discovery throws. */
  content(instance: Instance, signal?: AbortSignal): Promise<ContentClient>
  /** The pictures of news, by names for the window. */
  readonly contentImages: ContentImages
  /** Reads of the same services and of the VPN's lists, which fall back on what was seen last (docs/offline.md). */
  readonly read: ServiceReads
  /** Opens an http or https address. Throws `oauth/browser-not-opened`, also for any other. */
  readonly openBrowser: OpenBrowser
  /** Lifts the kill switch, also one that another run left. Throws `helper/*`. */
  releaseTraffic(): Promise<'released' | 'none'>
  readonly killSwitch: {
    /** Whether there can be one on this computer. */
    here(): Promise<KillSwitchHere>
    /** Whether one of this data directory's processes has put it up and none has lifted it. */
    blocks(): boolean
    /** Calls back when that may have changed, also by another process; returns how to stop it. */
    watch(onChange: () => void): () => void
  }
  diagnose(): Promise<Finding[]>
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
  const { dataDir } = options
  const now = options.now ?? (() => new Date())
  const { log, redactor, logPath, logLines, makeReport, keepRunMarker } = openLog({ dataDir, now })
  const onNotice = (notice: ErrorReport) => {
    log.write('warning', 'app', 'notice', { ...notice })
    options.onNotice(notice)
  }
  const stored = {
    dataDirectory: dataDir,
    now,
    onDamaged: (movedTo: string) => {
      onNotice(damagedFile(movedTo))
    },
  }
  const http = loggedHttp(createHttpClient(), log, () => performance.now())
  const settings = createSettingsStore({
    ...stored,
    ...(options.startAtLogin === undefined ? {} : { startAtLogin: options.startAtLogin }),
  })
  const lastConnections = createLastConnections(stored)
  const instances = createInstanceList(stored)
  const secretStore = learningSecretStore(createSecretStore({ ...options, onNotice }, now), redactor)
  const cache = new EndpointsCache({ discovery: createDiscovery({ http }), now: Date.now })
  const accessTo = createAccess({ ...options, http, secretStore, cache, onNotice, now })

  async function openVpnPath(): Promise<string | undefined> {
    return options.openVpnPath ?? ((await settings.all()).openvpnPath || undefined)
  }

  function configure(
    { profileText, keyPair }: Preparation,
    build: { readonly mode: 'full' | 'handshake-only'; readonly preferTcp: boolean },
  ): OpenVpnConfiguration {
    return buildConfiguration(profileText, keyPair, { platform: process.platform, ...build })
  }

  const trafficBlockPath = join(dataDir, 'traffic-block')
  const trafficBlock = new TrafficBlock({ path: trafficBlockPath, bootId: linuxBootId })
  const rights = createTunnelRights({
    trafficBlock,
    openVpnPath,
    killSwitch: async () => (await settings.all()).killSwitch,
    tunnelFolder: join(dataDir, 'tunnel'),
    onNotice,
  })

  const connection: Connection = new Connection({
    claim: async () => {
      const giveBack = await tunnel.claim()
      return async () => {
        const { state } = connection
        // Who takes the tunnel over takes the kill switch over: to lift it in between would let traffic out.
        const takenOver = state.state === 'disconnecting' && state.by?.takesOver === true
        if (!takenOver) await rights.afterwards(state.state === 'disconnecting')
        await giveBack()
      }
    },
    accessTo: async (instanceId) => accessTo(await instances.find(instanceId)),
    configure,
    startTunnel: rights.startTunnel,
    preferences: () => settings.all(),
    onTunnel: (target) => {
      noteLast(lastConnections.remember(target))
    },
    network: joinNetworkEvents([
      ...(process.platform === 'linux' ? [linuxNetworkEvents()] : []),
      ...(process.platform === 'darwin' ? [macosNetworkEvents()] : []),
      ...(process.platform === 'win32' ? [windowsNetworkEvents()] : []),
      ...(options.networkEvents === undefined ? [] : [options.networkEvents]),
    ]),
    delay: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    random: Math.random,
    now,
  })

  const tunnel = new TunnelLock({
    dataDir,
    kind: options.kind ?? 'terminal',
    now,
    connection: () => connectionSlice(connection.state),
    onAskedToDisconnect: (by) => void connection.disconnect(by),
  })
  connection.onChange(() => {
    tunnel.changed()
  })

  let noted: Promise<void> = Promise.resolve()
  /** What cannot be remembered is no reason not to be connected. */
  const noteLast = (work: Promise<void>): void => {
    const told = work.catch((error: unknown) => {
      onNotice(toErrorReport(error))
    })
    noted = noted.then(() => told)
  }
  connection.onChange((state) => {
    if (state.state === 'failed' && state.error.code === 'vpn-api/profile-unavailable')
      noteLast(lastConnections.forgetProfile(state.target))
  })

  const told = createToldNotices({ ...stored, kind: options.kind ?? 'terminal' })
  let disposed = false

  logConnection(connection, log)
  const endRun = keepRunMarker(connection, onNotice)

  const organizationCredentials = (instance: Instance): OrganizationCredentials =>
    new OrganizationCredentials(secretStore, instance.id)

  const liveParts = (instance: Instance, signal?: AbortSignal): ClientParts => ({
    http,
    places: () => cache.endpoints(instance, signal),
    live: true,
  })
  const clients = {
    attachments: async (instance: Instance, { http, places }: ClientParts) =>
      createAttachmentsClient({
        http,
        baseUrl: await findService(instance, 'attachments', places),
        identity: instance.identity,
        now: () => now().getTime(),
      }),
    content: async (instance: Instance, { http, places }: ClientParts) =>
      createContentClient({
        http: retryingHttp(http),
        baseUrl: await findService(instance, 'content', places),
      }),
    organizations: async (instance: Instance, { http, places, live }: ClientParts) =>
      createOrganizationsClient({
        http,
        baseUrl: await findService(instance, 'organizations', places),
        authorization: (url) =>
          live ? organizationCredentials(instance).authorization(url) : Promise.resolve({}),
      }),
    vpn: (instance: Instance, { http, places, live }: ClientParts) =>
      createVpnApi({ http, endpoints: places, tokens: live ? accessTo(instance).session : noTokens }),
  }
  const seen = createSeenStore({
    folder: join(dataDir, 'seen'),
    now,
    onFailed: (error) => {
      log.write('warning', 'app', 'not-kept', { error })
    },
  })
  const read = createServiceReads({
    http,
    store: seen,
    places: (instance, signal) => cache.endpoints(instance, signal),
    clients,
  })

  const attachmentTransfers = createAttachmentTransfers({
    transport: loggedTransport(createFileTransport(), log, () => performance.now()),
    client: async (instanceId) => {
      const instance = await instances.find(instanceId)
      return clients.attachments(instance, liveParts(instance))
    },
    newId: randomUUID,
    now: () => now().getTime(),
    delay: (milliseconds, signal) => delay(milliseconds, undefined, { signal }),
    onDefect: (error) => {
      onNotice(toErrorReport(error))
    },
  })

  async function findings(): Promise<Finding[]> {
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
    connection,
    lastConnections,
    releaseTraffic: () => rights.release(),
    killSwitch: {
      here: () => killSwitchHere({ platform: process.platform }),
      blocks: () => trafficBlock.isOn(),
      watch: (onChange) => {
        const stops = [trafficBlock.onChange(onChange), watchFile(trafficBlockPath, onChange)]
        return () => {
          for (const stop of stops) stop?.()
        }
      },
    },
    log,
    tunnel,
    addInstance: async (entry, signal) => {
      const { id, address } = parseAddress(entry.address)
      await cache.endpoints({ id, address }, signal)
      return instances.add(entry)
    },
    offeredServices: async (instance, signal) => (await cache.endpoints(instance, signal)).services,
    removeInstance: async (instanceId) => {
      const instance = await instances.find(instanceId)
      const { state } = connection
      if ('target' in state && state.target.instanceId === instance.id) await connection.disconnect()
      const { session, keyPairs } = accessTo(instance)
      await attachmentTransfers.forgetInstance(instance.id)
      // Secrets first: were one left behind, the instance would still be there to try again.
      await session.logOut()
      await keyPairs.forget()
      await organizationCredentials(instance).remove()
      await instances.remove(instance.id)
      await seen.forget(instance.id)
      await lastConnections.forgetInstance(instance.id)
      cache.forget(instance.id)
    },
    session: (instance) => forgetful(accessTo(instance).session, () => seen.forget(instance.id)),
    vpnApi: (instance) => accessTo(instance).api,
    keyPairs: (instance) => accessTo(instance).keyPairs,
    renewSession: (instance, { takeOver = false, ...connectOptions }, logIn) => {
      const { session, keyPairs } = accessTo(instance)
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
        logIn: () => logIn(session),
        renewCertificate: () => keyPairs.renew(),
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
    configuration: async (instance, profileId, { login, signal }) => {
      const { remoteStrategy, preferTcp } = await settings.all()
      const preparation = await prepare(
        accessTo(instance),
        { profileId, remoteStrategy },
        { login, signal },
        () => undefined,
      )
      return configure(preparation, { mode: 'full', preferTcp })
    },
    attachments: (instance, signal) => clients.attachments(instance, liveParts(instance, signal)),
    attachmentTransfers,
    organizations: (instance, signal) => clients.organizations(instance, liveParts(instance, signal)),
    organizationCredentials,
    openBrowser: options.openBrowser,
    contentImages: new ContentImages({ fetchImage: createFetchImage() }),
    content: (instance, signal) => clients.content(instance, liveParts(instance, signal)),
    read,
    diagnose: findings,
    logPath,
    logLines,
    supportReport: async () => makeReport({ settings: await settings.all(), findings: await findings() }),
    dispose: async () => {
      disposed = true
      await attachmentTransfers.dispose()
      await connection.disconnect()
      await noted
      await seen.written()
      await endRun()
    },
  }
}

/** For clients that send nothing. */
const noTokens: Pick<TokenSession, 'accessToken' | 'discardRejected'> = {
  accessToken: () => Promise.resolve(''),
  discardRejected: () => Promise.resolve(),
}

/** The same session; who logs out leaves nothing of what they saw behind. */
function forgetful(session: TokenSession, forget: () => Promise<void>): TokenSession {
  return {
    signedIn: () => session.signedIn(),
    accessToken: (signal) => session.accessToken(signal),
    discardRejected: (accessToken) => session.discardRejected(accessToken),
    logIn: (signal) => session.logIn(signal),
    logOut: async () => {
      await session.logOut()
      await forget()
    },
  }
}

function createSecretStore(options: ServicesOptions, now: () => Date): SecretStore {
  if (options.secretStore === 'os') return createOsSecretStore()
  const path = join(options.dataDir, 'secrets.json')
  options.onNotice({
    code: 'secret-store/in-file',
    message: `Secrets are kept in the file ${path}, not in a key store. Anyone who can read your files can use them.`,
  })
  return createFileSecretStore({
    path,
    file: createJsonFile({
      path,
      schema: secretsSchema,
      version: 1,
      empty: {},
      now,
      onDamaged: (movedTo) => {
        options.onNotice(damagedFile(movedTo))
      },
    }),
  })
}

function damagedFile(movedTo: string): ErrorReport {
  return {
    code: 'data/damaged',
    message: `A file of Causeway's was damaged and was set aside as ${movedTo}. Causeway went on without it.`,
    details: { movedTo },
  }
}
