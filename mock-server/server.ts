import type { FastifyRequest } from 'fastify'
import { addAttachments, attachmentsErrorArea } from './attachments/add-attachments'
import { callsWithin } from './calls-within'
import { connectToMock, MockClient, MockRefusal, MockWorld, type RequestMatch } from './client'
import { type Clock, systemClock } from './clock'
import { addContent, contentErrorArea } from './content/content-routes'
import { addControl, controlErrorArea } from './control/control'
import { keepJournal } from './control/journal'
import { applyFaults } from './control/apply-faults'
import { addDiscoveryLists } from './discovery/discovery-service'
import { addPart, answerErrors, type App, newApp, newListener } from './http/app'
import { allowPages, pageOriginIn } from './http/cors'
import { followOrigin, originIn, Origins } from './http/origin'
import { pathOf } from './http/parameters'
import { describeRoutes } from './openapi/openapi'
import type { OrganizationAuthentication } from './organizations/wire'
import { addOrganizations, organizationsErrorArea } from './organizations/organization-routes'
import type { Environment } from './state/environment'
import { inMemory, openState } from './state/persistence'
import { addStorage } from './storage/add-storage'
import { storageErrorArea } from './storage/storage-error'
import { openTls, type TlsIdentity, type TlsOption } from './tls/server-identity'
import { refusePlainCalls, TlsListener } from './tls/tls-listener'
import { addOversizedAnswers, addVpnApi, vpnErrorArea } from './vpn/api'
import { addAuthorizationEndpoint } from './vpn/authorize'
import { addBearerCheck } from './vpn/bearer'
import type { BehindEvent } from './vpn/behind/behind'
import { type AddedClient, parseClient } from './vpn/clients'
import { addDiscovery } from './vpn/discovery'
import { addOAuthMetadata } from './vpn/oauth-metadata'
import { type PortalVersion, portalVersions } from './vpn/portal-version'
import type { OfferedApi } from './vpn/situation'
import { addTokenEndpoint, oauthErrorArea } from './vpn/token'
import { startTunnel } from './vpn/tunnel/full-tunnel'
import type { TunnelStatus } from './vpn/tunnel/tunnel'
import { addVpn3Api, hideApi, vpn3ErrorArea } from './vpn/v3/api'
import { newestPortal3, type Portal3Version, portal3Versions } from './vpn/portal-version'
import type { VpnService } from './vpn/vpn-service'
import { startWireguard } from './vpn/wireguard/start-wireguard'
import type { WireguardStatus } from './vpn/wireguard/wireguard'
import { MockState } from './mock-state'
import { enterWorlds, prefixOf, withoutPrefix, Worlds } from './worlds'
import './request'

export { connectToMock, MockClient, MockRefusal, MockWorld, type RequestMatch }
/** For the command, which would otherwise contain the server a second time. */
export { startRecorder } from './record/recorder'
export { type Setup, setUp, setupOf } from './setup-file'

export interface MockServerOptions {
  /** The address to listen on; default 127.0.0.1. */
  host?: string
  /** The port; 0, the default, selects a free one. */
  port?: number
  /** The seed of the data and of all generated identifiers; default 1. */
  seed?: number | undefined
  /** Redirects from the authorization endpoint immediately, without the page. */
  autoApprove?: boolean
  /** The servers behind the profiles. WireGuard is for version 3 of the API, and runs as root on Linux only. */
  tunnel?: 'none' | 'openvpn' | 'wireguard' | 'both'
  /** False to run the OpenVPN servers without hooks: connecting is faster, and refusals only work in TLS. */
  tunnelHooks?: boolean
  /** The first of twelve consecutive ports of the OpenVPN servers for other machines; free ports without it. */
  tunnelPort?: number | undefined
  /** Lets profiles with default_gateway true push a default route. Don't use it if the client shares the machine's network. */
  pushDefaultRoute?: boolean
  /** Redirects discovery with this status. */
  redirectDiscovery?: 301 | 302 | 303 | undefined
  /** The versions of the VPN application API that the portal offers; default that of `portalVersion`, else 2. */
  api?: OfferedApi | undefined
  /** The simulated portal version. It must have one of the offered API versions. */
  portalVersion?: PortalVersion | Portal3Version | undefined
  /** The lifetime of a session; default 90 days. */
  sessionSeconds?: number | undefined
  /** Requires x-user-roles and x-user-id in calls of the attachments service. */
  strictIdentity?: boolean
  /** The authentication that the organization API requires; default none. */
  orgAuth?: OrganizationAuthentication | undefined
  /** The origin that all answers name; default the origin that the client called. */
  origin?: string | undefined
  /** Speaks https with certificates of a new CA or of the one in these PEM files, or with the certificate in these. */
  tls?: TlsOption | undefined
  /** Speaks no newer TLS than 1.2, as old portals; with `tls`. */
  oldTls?: boolean | undefined
  /** The origins of pages that may call the services; `*` for all. Control calls aren't included. */
  cors?: readonly string[] | undefined
  /** OAuth clients in addition to those of a portal. */
  clients?: readonly AddedClient[] | undefined
  /** Adds metadata, revocation, introspection and JWT access tokens, which portals don't have. */
  oauthMetadata?: boolean | undefined
  /** Accepts every OAuth client. */
  anyClient?: boolean | undefined
  /** Stores all data in this directory; default in memory. */
  dataDir?: string | undefined
  /** The time source of the mock's clock; default the machine's. */
  clock?: Clock | undefined
}

/** A running mock server, the addresses of its parts, and what controls it. */
export interface MockServer extends MockClient {
  /** The port that it listens on. */
  port: number
  /** File with the CA certificate that clients must trust; undefined with a given certificate. */
  caFile: string | undefined
  /** The signed lists of servers and organizations, and the key that clients must trust. */
  readonly discovery: { url: string; key: string }
  /** The status of the OpenVPN servers. */
  readonly tunnel: TunnelStatus
  /** The status of the WireGuard server. */
  readonly wireguard: WireguardStatus
  /** Closes the server and everything that it started. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

class RunningMock extends MockClient implements MockServer {
  readonly port: number
  readonly caFile: string | undefined
  readonly close: () => Promise<void>
  readonly #main: MockState

  constructor(
    app: App,
    origin: string,
    main: MockState,
    given: Pick<MockServer, 'port' | 'caFile' | 'close'>,
  ) {
    super(origin, callsWithin(app, origin))
    this.port = given.port
    this.caFile = given.caFile
    this.close = given.close
    this.#main = main
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get discovery(): MockServer['discovery'] {
    const { url, publicKey } = this.#main.discovery
    return { url, key: publicKey }
  }

  get tunnel(): TunnelStatus {
    return this.#main.vpn.tunnelStatus
  }

  get wireguard(): WireguardStatus {
    return this.#main.vpn.wireguard.status
  }
}

const errorAreas = [
  vpnErrorArea,
  vpn3ErrorArea,
  oauthErrorArea,
  attachmentsErrorArea,
  storageErrorArea,
  organizationsErrorArea,
  controlErrorArea,
  // Must be last, because it matches any path segment in the place of the version.
  contentErrorArea,
]

const isServiceCall = (request: FastifyRequest) => !controlErrorArea.holds(pathOf(request))

/** Sets the simulated portal version. Throws if it has none of the offered API versions. */
function setPortalVersion(
  vpn: VpnService,
  { api: wanted, portalVersion: version }: Pick<MockServerOptions, 'api' | 'portalVersion'>,
): void {
  const portal2 = portalVersions.find((known) => known === version)
  const portal3 = portal3Versions.find((known) => known === version)
  const api = wanted ?? (portal3 === undefined ? '2' : '3')
  if ((portal2 !== undefined && api === '3') || (portal3 !== undefined && api === '2')) {
    throw new Error(`A portal ${version ?? ''} does not offer version ${api} of the API.`)
  }
  if (portal2 !== undefined) vpn.portal = portal2
  vpn.startWith({ api, portalVersion: portal3 ?? newestPortal3 })
}

/** Closes one part after the other, even if one can't be closed. Rejects with the reason of the last failure. */
async function closeAll([first, ...others]: readonly { close(): unknown }[]): Promise<void> {
  try {
    await first?.close()
  } finally {
    if (others.length > 0) await closeAll(others)
  }
}

/** Returns what makes a world of the mock, as its options say. */
function worldFactory(options: MockServerOptions, origins: Origins) {
  const { clock = systemClock, sessionSeconds } = options
  const clients = options.clients?.map(({ id, redirectUri }) => parseClient(`${id}=${redirectUri}`)) ?? []
  return (name: string, prefix: string, stored: Pick<Environment, 'persistence' | 'dataDir' | 'seed'>) => {
    const world = new MockState({ ...stored, name, clock, origin: () => origins.current(prefix) })
    const { vpn } = world
    vpn.addedClients = clients
    vpn.acceptsAnyClient = options.anyClient === true
    if (sessionSeconds !== undefined) vpn.tokens.sessionSeconds = sessionSeconds
    setPortalVersion(vpn, options)
    if (options.oauthMetadata === true) vpn.issueJwts()
    return world
  }
}

/** Starts what is behind the profiles of the main world. `proxyTls` opens the certificates of ProxyGuard. */
async function startTunnels(
  options: MockServerOptions,
  main: MockState,
  proxyTls: () => TlsIdentity,
): Promise<void> {
  const { tunnel: wanted = 'none', host = '127.0.0.1' } = options
  const { vpn } = main
  const onEvent = (event: BehindEvent) => {
    main.noteBehind(event)
  }
  if (wanted !== 'none') vpn.watchSessions()
  if (wanted === 'wireguard' || wanted === 'both') {
    const files = proxyTls()
    await vpn.useWireguard(
      await startWireguard({
        privateKey: vpn.version3.wireguardKey,
        takesAllTraffic: options.pushDefaultRoute === true,
        issue: (names) => files.issue(names),
        onEvent,
      }),
    )
  }
  if (wanted === 'openvpn' || wanted === 'both') {
    const tunnel = await startTunnel({
      identity: vpn.newServerIdentity(),
      host,
      firstPort: options.tunnelPort,
      pushDefaultRoute: options.pushDefaultRoute === true,
      hooks: options.tunnelHooks,
      onClient: (commonName) => {
        vpn.noteClient(commonName)
      },
      onEvent,
    })
    vpn.useTunnel(tunnel)
  }
}

/** Adds the calls of all services. */
function addServices(app: App, options: MockServerOptions): void {
  addPart(app, (part) => {
    addOversizedAnswers(part)
    addDiscovery(part, options.redirectDiscovery)
    addAuthorizationEndpoint(part, options.autoApprove === true)
    addTokenEndpoint(part)
    if (options.oauthMetadata === true) addOAuthMetadata(part)
    addVpnApi(part)
    addVpn3Api(part)
  })
  addPart(app, addDiscoveryLists)
  addPart(app, addAttachments, options.strictIdentity === true)
  addPart(app, addStorage)
  addPart(app, addContent)
  addPart(app, addOrganizations, options.orgAuth)
}

/**
 * Starts a mock server. Rejects if the port is in use, if the data directory can't be used or, with
 * `tunnel`, if OpenVPN or wireguard-tools is not installed.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { host = '127.0.0.1', port = 0 } = options
  const fixed = options.origin === undefined ? undefined : originIn(options.origin)
  const origins = new Origins(options.tls === undefined ? 'http' : 'https', fixed)
  const newWorld = worldFactory(options, origins)
  /** What is to be closed, the last opened first. */
  const parts: { close(): unknown }[] = []
  const opened = <T extends { close(): unknown }>(part: T): T => {
    parts.unshift(part)
    return part
  }
  const close = () => closeAll(parts.splice(0))
  try {
    /** Also the certificates of ProxyGuard, which speaks https even if the mock itself doesn't. */
    let anyTls = options.tls === undefined ? undefined : opened(openTls(options.tls))
    const tls = anyTls
    const { persistence, seed } = openState(options)
    opened(persistence)
    const newTls = () => tls && new TlsListener(tls, host, options.oldTls === true ? 'TLSv1.2' : undefined)
    const mainTls = newTls()
    const main = newWorld('', '', { persistence, dataDir: options.dataDir, seed })
    main.tls = mainTls
    const worlds = opened(
      new Worlds(main, (name) =>
        newWorld(name, prefixOf(name), { persistence: inMemory, dataDir: undefined, seed }),
      ),
    )
    const app = opened(newApp(errorAreas, withoutPrefix, mainTls?.options))
    const newServer = (world: MockState) => {
      world.tls = newTls()
      const server = newListener(app, world.tls?.options)
      world.tls?.attach(server, newListener(app))
      return server
    }
    await startTunnels(options, main, () => {
      if (anyTls === undefined) parts.push((anyTls = openTls('generated')))
      return anyTls
    })
    app.addHook('preClose', (done) => {
      worlds.endOpenConnections()
      done()
    })
    mainTls?.attach(app.server, newListener(app))
    // What happens to each request before its call: world, journal, origin, faults, identity. The order counts.
    enterWorlds(app, worlds, fixed !== undefined)
    keepJournal(app, isServiceCall)
    followOrigin(app, origins)
    if (mainTls !== undefined) refusePlainCalls(app, isServiceCall)
    if (options.cors !== undefined) allowPages(app, options.cors.map(pageOriginIn), isServiceCall)
    applyFaults(app, isServiceCall)
    answerErrors(app, errorAreas)
    describeRoutes(app)
    hideApi(app, 2)
    hideApi(app, 3)
    addBearerCheck(app)
    addServices(app, options)
    const shown = { ...options, seed, clock: undefined }
    const { caFile } = anyTls ?? {}
    addPart(app, addControl, { worlds, newServer, host, options: shown, origins, caFile })

    const listening = await app.listen({ host, port })
    const listeningPort = Number(new URL(listening).port) || port
    origins.listenAt(host, listeningPort)
    return new RunningMock(app, origins.own, main, { port: listeningPort, caFile, close })
  } catch (error) {
    await close()
    throw error
  }
}
