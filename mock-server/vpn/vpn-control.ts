import { z } from 'zod'
import { wireguardPeerSchema } from './wireguard/wireguard'
import { Refusal } from '../http/refusal'
import { int, isSome, optional, text } from '../schemas'
import { call } from '../control/control-calls'
import { authorizeOutcomes, queuedAnswerSchema } from './queued-answers'
import { profileSchema, systemMessageSchema } from './profile'
import { maxSessionSeconds } from './token-store'
import { needsHooks, refusalSchema, refusedPlaces } from './tunnel/refusals'
import { portalSettings } from './situation'
import { type Running, allTunnelActions } from './tunnel/tunnel'

const noSuchConfiguration = 'No configuration with this id is in use.'

const states = ['running', 'stopped', 'frozen'] as const satisfies readonly Running[]

const maxListed = 1000
const seconds = z.int().max(maxSessionSeconds)

const noSuchCertificate = 'No certificate with this common name was issued, or it is revoked already.'

export const vpnCalls = {
  'GET /certificates': call({
    summary: 'Lists the issued certificates and the clients that connected',
    answer: z.object({
      certificates: z.array(z.object({ commonName: z.string(), user: z.string().nullable() })),
      clients: z
        .array(z.string())
        .describe('The common names of the clients that connected to the OpenVPN servers, oldest first'),
    }),
    run: ({ world: { vpn } }) => ({ certificates: vpn.certificates(), clients: vpn.clients }),
  }),
  'POST /certificates/revoke': call({
    summary: 'Revokes one certificate, or all certificates',
    description:
      'check_certificate reports certificate_missing, and OpenVPN refuses the certificate in client-connect unless refusedIn is set.',
    body: z
      .strictObject({
        commonName: optional(text(1, 200), 'All certificates if omitted'),
        refusedIn: optional(
          z.enum(refusedPlaces),
          'client-connect, the default: with AUTH_FAILED, as the hooks of portals do; handshake: in TLS, as with a revocation list. Servers for handshakes only have no hooks and always refuse in TLS',
        ),
      })
      .nullish(),
    answer: z
      .object({ revoked: z.array(z.string()) })
      .describe('The common names of the revoked certificates'),
    refusals: { 404: noSuchCertificate },
    run: ({ body, world: { vpn } }) => {
      const revoked = vpn.revoke(body?.commonName, body?.refusedIn ?? 'client-connect')
      if (body?.commonName !== undefined && revoked.length === 0) {
        throw new Refusal(404, noSuchCertificate)
      }
      return { revoked }
    },
  }),
  'POST /tokens': call({
    summary: 'Signs in without a browser',
    body: z
      .strictObject({
        user: optional(text(1, 200), 'The user signed in at the portal if omitted'),
        clientId: optional(text(1, 200), 'org.causeway.app.linux if omitted'),
        expiresIn: seconds.min(1).optional().describe('The lifetime of the access token in seconds'),
      })
      .nullish(),
    answer: z
      .object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.int() })
      .describe('The tokens of a new login'),
    run: ({ body, world: { vpn } }) => {
      const { user: userId = vpn.userId, clientId = 'org.causeway.app.linux' } = body ?? {}
      const login = { userId, clientId, expiresIn: body?.expiresIn }
      const { accessToken, refreshToken, expiresIn } = vpn.tokens.issueTokens(login)
      return { accessToken, refreshToken, expiresIn }
    },
  }),
  'POST /tokens/revoke': call({
    summary: 'Revokes access tokens, or all tokens',
    body: z.strictObject({
      kind: z
        .enum(['access', 'all'])
        .describe(
          'access: revokes access tokens only; all: also refresh tokens, so that a new login is needed',
        ),
    }),
    run: ({ body, world: { vpn } }) => {
      vpn.tokens.revoke(body.kind)
    },
  }),
  'GET /authorize': call({
    summary: 'Shows the outcome of the next authorization requests',
    answer: z
      .object({ next: z.enum(authorizeOutcomes).nullable(), times: z.int().optional() })
      .describe(
        'The outcome of the next authorization requests; null if they behave as the mock was started',
      ),
    run: ({ world: { vpn } }) => vpn.authorize.decided ?? { next: null },
  }),
  'POST /authorize': call({
    summary: 'Sets the outcome of the next authorization requests',
    description:
      'Overrides --auto-approve until the next scenario. Invalid requests still get their error page. A client that probes the endpoint (Accept without text/html) gets the same outcome and is not counted.',
    body: z.strictObject({
      next: z.enum(authorizeOutcomes).describe('no-answer shows a page that never redirects'),
      times: optional(int(1, 1e9), 'The number of requests; until withdrawn if omitted'),
    }),
    run: ({ body, world: { vpn } }) => {
      vpn.authorize.decided = body
    },
  }),
  'DELETE /authorize': call({
    summary: 'Restores the outcome that the mock started with',
    run: ({ world: { vpn } }) => {
      vpn.authorize.decided = undefined
    },
  }),
  'GET /oauth/answers': call({
    summary: 'Lists the queued answers of the OAuth endpoints',
    answer: z.array(queuedAnswerSchema).describe('In the order of their use'),
    run: ({ world: { vpn } }) => vpn.queuedAnswers.all,
  }),
  'POST /oauth/answers': call({
    summary: 'Queues the next answer of an OAuth endpoint',
    description:
      'Each is used once, in the order of the calls, until the next scenario. An invalid authorization request still gets its error page.',
    body: queuedAnswerSchema,
    refusals: { 409: 'There are too many already.' },
    run: ({ body, world: { vpn } }) => {
      if (vpn.queuedAnswers.add(body)) return
      throw new Refusal(409, 'There are too many queued answers. Delete them first.')
    },
  }),
  'DELETE /oauth/answers': call({
    summary: 'Deletes the queued answers of the OAuth endpoints',
    run: ({ world: { vpn } }) => {
      vpn.queuedAnswers.clear()
    },
  }),
  'PUT /user': call({
    summary: 'Signs another user in at the portal',
    description:
      'The next authorization requests in the browser belong to this user, until a reset. Existing logins are kept.',
    body: z.strictObject({ user: z.string().min(1).max(200) }),
    run: ({ body, world: { vpn } }) => {
      vpn.userId = body.user
    },
  }),
  'POST /session': call({
    summary: 'Changes when sessions end, or the lifetime of access tokens',
    description:
      'Existing sessions end this many seconds from now, and new ones this many seconds after the login. Applies until the next scenario.',
    body: z
      .strictObject({
        endsInSeconds: seconds.min(0).optional(),
        accessTokenSeconds: optional(
          seconds.min(1),
          'The lifetime in seconds of access tokens issued from now on',
        ),
      })
      .refine(isSome, 'must have endsInSeconds or accessTokenSeconds')
      .meta({ minProperties: 1 }),
    run: ({ body: { endsInSeconds, accessTokenSeconds }, world: { vpn } }) => {
      if (endsInSeconds !== undefined) vpn.tokens.endSessions(endsInSeconds, { later: true })
      if (accessTokenSeconds !== undefined) vpn.tokens.accessTokenSeconds = accessTokenSeconds
    },
  }),
  'POST /tunnel': call({
    summary: 'Stops, starts, freezes, thaws, restarts or moves the OpenVPN servers, or gives them another CA',
    description:
      'The servers keep their addresses, ports and certificates. The next scenario starts them again.',
    body: z.strictObject({
      action: z
        .enum(allTunnelActions)
        .describe(
          'freeze: packets to the servers stay unanswered until thaw; restart: stop and start; move: to other ports; renew-authority: replace the CA, so that all existing certificates are unknown',
        ),
    }),
    answer: z.object({ running: z.enum(states) }).describe('The current state of the servers.'),
    refusals: { 409: 'OpenVPN is not running, or could not be started again; the error has the reason.' },
    run: async ({ body: { action }, world: { vpn } }) => {
      if (vpn.tunnelStatus.mode === 'none') {
        throw new Refusal(409, 'OpenVPN is not running. Start the mock with --tunnel openvpn.')
      }
      await vpn.actOnTunnel(action)
      const { running, failure } = vpn.tunnelStatus
      if (failure !== undefined) {
        throw new Refusal(409, `The servers could not be started. ${failure}`)
      }
      return { running }
    },
  }),
  'POST /tunnel/refusals': call({
    summary: 'Makes the OpenVPN servers refuse everybody after the handshake',
    description:
      'check_certificate still reports certificates as valid, as with a broken back end of the servers. Replaces the previous refusal, until it is deleted or the next scenario.',
    body: refusalSchema,
    refusals: { 409: 'OpenVPN is not running, or runs for handshakes only, without hooks.' },
    run: ({ body, world: { vpn } }) => {
      if (vpn.tunnelStatus.mode !== 'full') throw new Refusal(409, needsHooks)
      vpn.tunnel?.refuseAll(body)
    },
  }),
  'DELETE /tunnel/refusals': call({
    summary: 'Makes the OpenVPN servers accept clients again',
    run: ({ world: { vpn } }) => {
      vpn.tunnel?.refuseAll()
    },
  }),
  'PUT /system-messages': call({
    summary: 'Sets the system messages',
    body: z.array(systemMessageSchema).max(maxListed),
    run: ({ body, world: { vpn } }) => {
      vpn.systemMessages.set(body)
      vpn.endChange('systemMessages')
    },
  }),
  'PUT /profiles': call({
    summary: 'Sets the profiles',
    body: z
      .array(profileSchema)
      .max(maxListed)
      .refine(
        (profiles) => new Set(profiles.map(({ profile_id }) => profile_id)).size === profiles.length,
        'must have each profile_id once',
      ),
    run: ({ body, world: { vpn } }) => {
      vpn.profiles.set(body)
      vpn.endChange('profiles')
    },
  }),
  'GET /portal': call({
    summary: 'Shows the versions of the API and the settings of the portal for version 3',
    answer: portalSettings.describe('The settings'),
    run: ({ world: { vpn } }) => vpn.shownSettings,
  }),
  'PUT /portal': call({
    summary: 'Changes the versions of the API and the settings of the portal for version 3',
    description: 'Applies until a reset. Omitted settings keep their values. Logins stay valid.',
    body: portalSettings.partial().refine(isSome, 'must name what to change').meta({ minProperties: 1 }),
    run: ({ body, world: { vpn } }) => {
      vpn.changeSettings(body)
    },
  }),
  'GET /configurations': call({
    summary: 'Lists the configurations of version 3 that are in use',
    answer: z.object({
      configurations: z
        .array(
          z.object({
            id: z.string().describe('The common name for OpenVPN, the public key for WireGuard'),
            user: z.string(),
            profile: z.string(),
            protocol: z.enum(['openvpn', 'wireguard']),
          }),
        )
        .describe('Oldest first'),
    }),
    run: ({ world: { vpn } }) => ({
      configurations: vpn.version3.configurations.map(({ id, userId, profileId, transport }) => ({
        id,
        user: userId,
        profile: profileId,
        protocol: transport.startsWith('openvpn') ? 'openvpn' : 'wireguard',
      })),
    }),
  }),
  'POST /configurations/withdraw': call({
    summary: 'Withdraws one configuration of version 3, or all of them',
    description: 'OpenVPN disconnects the client and refuses its certificate.',
    body: z.strictObject({ id: z.string().min(1).max(200).optional() }).nullish(),
    answer: z.object({ withdrawn: z.array(z.string()) }).describe('The ids of the withdrawn configurations'),
    refusals: { 404: noSuchConfiguration },
    run: async ({ body, world: { vpn } }) => {
      const id = body?.id
      const chosen = vpn.version3.configurations.filter((one) => id === undefined || one.id === id)
      if (id !== undefined && chosen.length === 0) throw new Refusal(404, noSuchConfiguration)
      await vpn.version3.withdraw(chosen)
      return { withdrawn: chosen.map((configuration) => configuration.id) }
    },
  }),
}

/** Separate so that the docs list it first. */
export const tunnelStatusCalls = {
  'GET /tunnel': call({
    summary: 'Describes the OpenVPN servers and the WireGuard server with its peers',
    answer: z
      .looseObject({
        mode: z.enum(['none', 'handshake', 'full']),
        wireguard: z.looseObject({
          mode: z.enum(['none', 'full']),
          peers: z.array(wireguardPeerSchema).describe('The clients that the server knows'),
        }),
      })
      .describe('The servers.'),
    run: async ({ world: { vpn } }) => {
      const { tunnelStatus, wireguard } = vpn
      return { ...tunnelStatus, wireguard: { ...wireguard.status, peers: await wireguard.peers() } }
    },
  }),
}
