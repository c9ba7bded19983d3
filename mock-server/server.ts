import { isIPv6 } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { addAttachmentListing, attachmentsErrorArea } from './attachments/listing'
import { systemClock, type Clock } from './clock'
import { addControl } from './control/control'
import { keepJournal } from './control/journal'
import { strikeFaults } from './control/strike-faults'
import { answerErrors } from './http/error-area'
import { pathOf } from './http/parameters'
import { addVpnApi, vpnErrorArea } from './vpn/api'
import { addAuthorizationEndpoint } from './vpn/authorize'
import { addBearerCheck } from './vpn/bearer'
import { addDiscovery } from './vpn/discovery'
import { newStaticKey } from './vpn/static-key'
import { addTokenEndpoint, oauthErrorArea } from './vpn/token'
import { noTunnel } from './vpn/tunnel/no-tunnel'
import { startTunnel } from './vpn/tunnel/start-tunnel'
import type { Tunnel, TunnelStatus } from './vpn/tunnel/tunnel'
import { World } from './world'

export interface MockServerOptions {
  /** The address to listen on; 127.0.0.1 unless given. */
  host?: string
  /** 0, the default, picks a free one. */
  port?: number
  seed?: number
  /** Redirects from the authorization endpoint at once, without the page. */
  autoApprove?: boolean
  tunnel?: 'none' | 'openvpn'
  /** Lets profiles with default_gateway true push a default route; never where the client shares the machine's network. */
  pushDefaultRoute?: boolean
  /** Answers discovery with this status and another place. */
  redirectDiscovery?: 301 | 302 | 303
  clock?: Clock
}

/** A running mock server and the addresses of its parts. */
export interface MockServer {
  origin: string
  instance: string
  attachments: string
  content: string
  organizations: string
  control: string
  tunnel: TunnelStatus
  /** Ends it with everything it started. */
  close(): Promise<void>
}

const paths = {
  apiBase: '/api/vpn',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  attachments: '/v2.0.0',
  control: '/_mock',
}

function isControl(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return path === paths.control || path.startsWith(`${paths.control}/`)
}

function newApp(): FastifyInstance {
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    requestTimeout: 30_000,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: (error, _request, reply) => {
      reply.hijack()
      reply.raw.writeHead(error.statusCode ?? 400, { 'content-type': 'application/json' })
      reply.raw.end(JSON.stringify({ error: error.message }))
    },
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  return app
}

function originOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`
}

/**
 * Starts a mock server: a VPN instance with its control calls and a listing of attachments, all in memory.
 * Rejects when the port is taken or, with `tunnel: 'openvpn'`, when OpenVPN is not there.
 */
export async function createMockServer(options: MockServerOptions = {}): Promise<MockServer> {
  const { host = '127.0.0.1', port = 0, seed = 1, autoApprove = false, clock = systemClock } = options
  const app = newApp()
  let tunnel: Tunnel = noTunnel
  let address = ''
  const origin = () => address
  const world = new World({
    seed,
    clock,
    origin,
    onCertificateRevoked: (serialNumber) => {
      tunnel.refuse(serialNumber)
    },
  })

  const tlsCryptKey = newStaticKey()
  if (options.tunnel === 'openvpn') {
    tunnel = await startTunnel({
      identity: {
        caCertificate: world.authority.certificate,
        server: world.authority.issueServer('mock-instance'),
        tlsCryptKey,
      },
      pushDefaultRoute: options.pushDefaultRoute === true,
    })
  }

  keepJournal(app, world.journal, world.clock, (request) => !isControl(request))
  strikeFaults(app, world.faults, (request) => !isControl(request))
  addBearerCheck(app, paths.apiBase, world.tokens)
  answerErrors(app, [vpnErrorArea(paths.apiBase), oauthErrorArea, attachmentsErrorArea(paths.attachments)])

  addDiscovery(app, { redirect: options.redirectDiscovery, origin, paths })
  addAuthorizationEndpoint(app, paths.authorize, {
    tokens: world.tokens,
    userId: world.userId,
    autoApprove,
    issuer: origin,
  })
  addTokenEndpoint(app, paths.token, world.tokens)
  addVpnApi(app, paths.apiBase, {
    authority: world.authority,
    tlsCryptKey,
    profiles: () => world.profiles,
    systemMessages: () => world.systemMessages,
    remotes: (profile) => tunnel.remotes(profile.default_gateway === true),
  })
  addAttachmentListing(app, paths.attachments, () => world.attachments)
  addControl(app, paths.control, world, { origin, tunnel: () => tunnel.status })

  const listening = await app.listen({ host, port }).catch(async (error: unknown) => {
    await tunnel.close()
    throw error
  })
  address = originOf(host, Number(new URL(listening).port) || port)
  world.reset()
  return {
    origin: address,
    instance: `${address}/`,
    attachments: `${address}${paths.attachments}`,
    content: address,
    organizations: address,
    control: `${address}${paths.control}`,
    tunnel: tunnel.status,
    close: async () => {
      try {
        await app.close()
      } finally {
        await tunnel.close()
      }
    },
  }
}
