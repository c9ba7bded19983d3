import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { addAttachments, attachmentsErrorArea } from './attachments/add-attachments'
import { addUploadsControl } from './attachments/uploads-control'
import { type Clock, systemClock } from './clock'
import { addContent, contentErrorArea } from './content/add-content'
import { addContentControl } from './content/content-control'
import { addControl, controlErrorArea } from './control/control'
import { keepJournal } from './control/keep-journal'
import { strikeFaults } from './control/strike-faults'
import { answerErrors, isBelow, newApp } from './http/app'
import { takeAnyAsJson, takeJson } from './http/json-body'
import { pathOf } from './http/parameters'
import { addPart } from './http/part'
import { describeRoutes } from './openapi/openapi'
import { addOrganizations, organizationsErrorArea } from './organizations/add-organizations'
import { addOrganizationsControl } from './organizations/organizations-control'
import { openState } from './state/open-state'
import { addStorage, storageErrorArea } from './storage/add-storage'
import { storagePath } from './storage/object-storage'
import { addVpnApi, vpnErrorArea } from './vpn/api'
import { addAuthorizationEndpoint } from './vpn/authorize'
import { addBearerCheck } from './vpn/bearer'
import { addDiscovery } from './vpn/discovery'
import { addOversizedAnswers } from './vpn/oversized-answers'
import { type PortalVersion, portalFeatures } from './vpn/portal-version'
import { addTokenEndpoint, oauthErrorArea } from './vpn/token'
import { startTunnel } from './vpn/tunnel/start-tunnel'
import type { TunnelStatus } from './vpn/tunnel/tunnel'
import { addVpnControl } from './vpn/vpn-control'
import { World } from './world'

export interface MockServerOptions {
  /** The address to listen on; 127.0.0.1 unless given. */
  host?: string
  /** 0, the default, picks a free one. */
  port?: number
  /** Which seed data to start from, and which row of identifiers; 1 unless given. */
  seed?: number | undefined
  /** Redirects from the authorization endpoint at once, without the page. */
  autoApprove?: boolean
  tunnel?: 'none' | 'openvpn'
  /** False: OpenVPN's servers run no hooks, so that refusals work in TLS only, and connecting is faster. */
  tunnelHooks?: boolean
  /** Lets profiles with default_gateway true push a default route; never where the client shares the machine's network. */
  pushDefaultRoute?: boolean
  /** Answers discovery with this status and another place. */
  redirectDiscovery?: 301 | 302 | 303 | undefined
  /** The portal that is played: an older one lacks what came later (vpn-application-api.md, section 9). */
  portalVersion?: PortalVersion
  /** How long a login lasts; 90 days unless given. */
  sessionSeconds?: number | undefined
  /** Demands x-user-roles and x-user-id of every caller of the attachments service. */
  strictIdentity?: boolean
  /** Demands authentication of the callers of the organization API; none unless given. */
  orgAuth?: 'bearer' | 'basic' | undefined
  /** Keeps everything in this directory; in memory unless given. */
  dataDir?: string | undefined
  /** What the clock of the mock runs by; the machine's unless given. */
  clock?: Clock | undefined
}

/** A running mock server and the addresses of its parts. */
export interface MockServer {
  origin: string
  instance: string
  attachments: string
  content: string
  organizations: string
  control: string
  /** What runs behind the profiles now. */
  readonly tunnel: TunnelStatus
  /** Ends it with everything it started. */
  close(): Promise<void>
}

const paths = {
  apiBase: '/api/vpn',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  attachments: '/v2.0.0',
  storage: storagePath,
  control: '/_mock',
}

const errorAreas = [
  vpnErrorArea(paths.apiBase),
  oauthErrorArea,
  attachmentsErrorArea,
  storageErrorArea(paths.storage),
  organizationsErrorArea,
  controlErrorArea(paths.control),
  // Last, because a path with anything where the version belongs is its own.
  contentErrorArea,
]

function isPlayed(request: FastifyRequest): boolean {
  return !isBelow(paths.control)(pathOf(request))
}

function originOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}

/** Closes what is kept when it is damaged, so that it can be opened again. */
function openWorld(options: Omit<ConstructorParameters<typeof World>[0], 'onCertificateRevoked'>): World {
  try {
    const world = new World({
      ...options,
      onCertificateRevoked: (serialNumber) => {
        world.vpn.tunnel.refuse(serialNumber, 'client-connect')
      },
    })
    return world
  } catch (error) {
    options.persistence.close()
    throw error
  }
}

/**
 * Starts a mock server. Rejects when the port is taken, when the data directory cannot be used or, with
 * `tunnel: 'openvpn'`, when OpenVPN is not there.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { host = '127.0.0.1', port = 0, autoApprove = false, clock = systemClock } = options
  const app = newApp(errorAreas)
  const { persistence, seed } = openState(options)
  let address = ''
  const origin = () => address
  const world = openWorld({ seed, clock, persistence, dataDir: options.dataDir, origin })
  const { vpn } = world
  if (options.portalVersion !== undefined) vpn.portal = options.portalVersion
  if (options.sessionSeconds !== undefined) vpn.tokens.sessionSeconds = options.sessionSeconds

  const close = async () => {
    try {
      await app.close()
    } finally {
      await vpn.tunnel.close()
      await world.close()
      persistence.close()
    }
  }
  try {
    if (options.tunnel === 'openvpn') {
      vpn.tunnel = await startTunnel({
        identity: vpn.newServerIdentity(),
        pushDefaultRoute: options.pushDefaultRoute === true,
        hooks: options.tunnelHooks,
        onClient: (commonName) => {
          vpn.noteClient(commonName)
        },
      })
      for (const serialNumber of vpn.authority.revokedSerialNumbers) {
        vpn.tunnel.refuse(serialNumber, 'client-connect')
      }
    }

    keepJournal(app, world.journal, world.clock, isPlayed, (record) => {
      world.events.publish('request', () => record.entry())
    })
    app.addHook('onRequest', (request, reply, done) => {
      if (isPlayed(request)) reply.header('date', world.clock.now().toUTCString())
      done()
    })
    strikeFaults(app, world.faults, isPlayed)
    answerErrors(app, errorAreas)
    describeRoutes(app)
    addBearerCheck(app, paths.apiBase, vpn.tokens)
    addPart(app, (part) => {
      const version = portalFeatures(vpn.portal).saysVersion ? vpn.portal : undefined
      addOversizedAnswers(part, vpn)
      addDiscovery(part, { redirect: options.redirectDiscovery, version, origin, paths })
      addAuthorizationEndpoint(part, paths.authorize, vpn, { autoApprove, issuer: origin })
      addTokenEndpoint(part, paths.token, vpn)
      addVpnApi(part, paths.apiBase, vpn)
    })
    addPart(app, (part) => {
      takeJson(part)
      addAttachments(part, paths.attachments, world.attachments, {
        strictIdentity: options.strictIdentity === true,
      })
    })
    addPart(app, (part) => {
      addStorage(part, paths.storage, world.attachments)
    })
    addPart(app, (part) => {
      addContent(part, world.content)
    })
    addPart(app, (part) => {
      takeJson(part)
      addOrganizations(part, world.organizations, { auth: options.orgAuth })
    })
    addPart(app, (part) => {
      takeAnyAsJson(part)
      addControl(part, paths.control, world, {
        origin,
        host,
        tunnel: () => vpn.tunnel.status,
        options: { ...options, seed, clock: undefined },
      })
      addVpnControl(part, paths.control, vpn)
      addUploadsControl(part, paths.control, world.attachments)
      addContentControl(part, paths.control, world.content)
      addOrganizationsControl(part, paths.control, world.organizations)
    })

    const listening = await app.listen({ host, port })
    address = originOf(host, Number(new URL(listening).port) || port)
  } catch (error) {
    await close()
    throw error
  }
  return {
    origin: address,
    instance: `${address}/`,
    attachments: `${address}${paths.attachments}`,
    content: address,
    organizations: address,
    control: `${address}${paths.control}`,
    get tunnel() {
      return vpn.tunnel.status
    },
    close,
  }
}
