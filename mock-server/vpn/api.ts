import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson, sendJsonText } from '../http/answer'
import { addRoute, type App, type ErrorArea, isBelow } from '../http/app'
import { queryOf } from '../http/parameters'
import { Refusal } from '../http/refusal'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { answerIn } from '../schemas'
import { authorizationOf } from './bearer'
import { certificateReasons } from './certificate-authority'
import { apiCall, documented, unauthorized } from './documented'
import { portalFeatures } from './portal-version'
import { localizedText, maintenanceMessageSchema, profileIdPattern, systemMessageSchema } from './profile'

const plainError = (description: string) =>
  answerIn(description, {
    'application/json': z.object({ error: z.string() }),
    'text/plain': z.string().describe('For clients that accept text/html'),
  })

function envelopeOf(call: string, data: z.ZodType) {
  return z.object({ [call]: z.object({ ok: z.literal(true), data }) })
}

const listedProfile = z
  .object({
    profile_id: z.string().regex(profileIdPattern),
    display_name: localizedText,
    two_factor: z.literal(false),
    default_gateway: z.boolean().optional().describe('Portals from 2.2.9 on'),
  })
  .meta({ id: 'ListedProfile' })

const issuedKeyPair = z.object({
  certificate: z.string().describe('PEM, the common name is 32 hexadecimal digits'),
  private_key: z.string().describe('PEM, PKCS#8'),
})

const certificateCheck = z.discriminatedUnion('is_valid', [
  z.object({ is_valid: z.literal(true) }),
  z.object({ is_valid: z.literal(false), reason: z.enum(certificateReasons) }),
])

const shownMessage = z.discriminatedUnion('type', [systemMessageSchema, maintenanceMessageSchema])

const commonName = z.string().regex(/^[0-9a-fA-F]{32}$/)

const keyPairForm = z.object({ display_name: z.string().min(1).optional() }).optional()
const checkQuery = z.object({ common_name: commonName })

const userInfo = z.object({
  user_id: z.string(),
  is_disabled: z.literal(false),
  two_factor_enrolled: z.literal(false),
  two_factor_enrolled_with: z.array(z.string()).max(0),
})

const profileConfigQuery = z.object({
  profile_id: z.string().regex(profileIdPattern),
  remote_strategy: z
    .enum(['0', '1', '2'])
    .default('1')
    .describe('0: the first port of each set; 1: a random one of each; 2: all. Any other value means 0'),
})

/** Plain errors: `{"error": "text"}`, or plain text for clients that accept HTML (field notes, "Plain errors"). */
export const vpnErrorArea: ErrorArea = {
  holds: isBelow(paths.apiBase),
  send: ({ headers }, reply, status, error) =>
    /\btext\/html\b/i.test(headers.accept ?? '')
      ? reply.code(status).header('content-type', 'text/plain').send(Buffer.from(error))
      : sendJson(reply, status, { error }),
}

/** Adds the VPN application API, version 2. */
export function addVpnApi(app: App): void {
  addProfileCalls(app)
  addCertificateCalls(app)
  addReading(app, {
    call: 'system_messages',
    summary: 'Lists the system messages, newest first',
    data: z.array(shownMessage),
    read: ({ world }) => world.vpn.shownMessages(),
  })
  // Two calls of old clients that are no longer documented (field notes, last paragraph of the VPN part).
  addReading(app, {
    call: 'user_info',
    summary: 'Returns the user, for old clients',
    data: userInfo,
    read: (request) => ({
      user_id: authorizationOf(request).userId,
      is_disabled: false,
      two_factor_enrolled: false,
      two_factor_enrolled_with: [],
    }),
  })
  addReading(app, {
    call: 'user_messages',
    summary: 'Returns an empty list of messages, for old clients',
    data: z.array(z.string()).max(0),
    read: () => [],
  })
}

/** Adds a call without parameters, which is answered with an envelope (section 2, "Response envelope"). */
function addReading(
  app: App,
  given: { call: string; summary: string; data: z.ZodType; read: (request: FastifyRequest) => unknown },
): void {
  const { call, summary, data, read } = given
  addRoute(app, 'GET', `${paths.apiBase}/${call}`, {
    ...apiCall(tags.vpn, summary),
    response: { 200: envelopeOf(call, data), 401: unauthorized },
    handler: (request, reply) => sendJson(reply, 200, { [call]: { ok: true, data: read(request) } }),
  })
}

function addProfileCalls(app: App): void {
  addRoute(app, 'GET', `${paths.apiBase}/profile_list`, {
    ...apiCall(tags.vpn, 'Lists the profiles'),
    response: { 200: envelopeOf('profile_list', z.array(listedProfile)), 401: unauthorized },
    handler: ({ world }, reply) => sendJsonText(reply, 200, world.vpn.listedProfiles()),
  })
  addRoute(app, 'GET', `${paths.apiBase}/profile_config`, {
    ...apiCall(
      tags.vpn,
      'Returns the OpenVPN configuration of a profile, without certificate and key',
      'An unknown, hidden or malformed profile is refused with status 200.',
    ),
    querystring: documented(profileConfigQuery),
    response: {
      200: answerIn('The configuration with CRLF, or an error in JSON', {
        'application/x-openvpn-profile': z.string(),
        'application/json': z.object({
          profile_config: z.object({ ok: z.literal(false), error: z.string() }),
        }),
      }),
      400: plainError('No profile_id was given'),
      401: unauthorized,
    },
    handler: (request, reply) => {
      const refuse = (error: string) => sendJson(reply, 200, { profile_config: { ok: false, error } })
      const { profile_id, remote_strategy } = queryOf(request)
      if (profile_id === undefined) throw new Refusal(400, 'missing "profile_id" parameter')
      const id = profileConfigQuery.shape.profile_id.safeParse(profile_id)
      if (!id.success) return refuse('invalid "profile_id"')
      const strategy = Array.isArray(remote_strategy) ? '' : remote_strategy
      const { vpn } = request.world
      const config = vpn.profileConfig(id.data, strategy)
      return config === undefined
        ? refuse(portalFeatures(vpn.portal).profileRefusal)
        : reply.header('content-type', config.contentType).send(Buffer.from(config.body))
    },
  })
}

function addCertificateCalls(app: App): void {
  addRoute(app, 'POST', `${paths.apiBase}/create_keypair`, {
    ...apiCall(
      tags.vpn,
      'Creates a client certificate and its private key',
      'Portals before 2.0.0 required display_name; the portals that the mock plays ignore the body.',
    ),
    consumes: ['application/x-www-form-urlencoded'],
    body: documented(keyPairForm),
    response: {
      200: envelopeOf('create_keypair', issuedKeyPair),
      401: unauthorized,
      // The body is read before the token is checked.
      413: plainError('The body is too large'),
      415: plainError('The Content-Type is not valid'),
    },
    handler: (request, reply) => {
      const data = request.world.vpn.issueKeyPair(authorizationOf(request))
      return sendJson(reply, 200, { create_keypair: { ok: true, data } })
    },
  })
  addRoute(app, 'GET', `${paths.apiBase}/check_certificate`, {
    ...apiCall(tags.vpn, 'Checks a certificate and returns the reason if it is not valid'),
    querystring: documented(checkQuery),
    response: {
      200: envelopeOf('check_certificate', certificateCheck),
      400: plainError('The common name is missing or malformed'),
      401: unauthorized,
    },
    handler: (request, reply) => {
      const { common_name } = queryOf(request)
      const name = commonName.safeParse(common_name)
      if (common_name === undefined) throw new Refusal(400, 'missing "common_name" parameter')
      if (!name.success) throw new Refusal(400, 'invalid "common_name"')
      const data = request.world.vpn.checkCertificate(name.data)
      return sendJson(reply, 200, { check_certificate: { ok: true, data } })
    },
  })
}

const extraBytes = 20 * 1024 * 1024

/** Makes the answers of these routes longer than any client should read while the scenario requires it. */
export function addOversizedAnswers(app: App): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (request.world.vpn.situation.isOversized !== true || !isText) {
      done(null, payload)
      return
    }
    const bytes = Buffer.from(payload)
    // A field in JSON, and a comment in a configuration.
    const [end, start, last] =
      reply.getHeader('content-type') === 'application/json'
        ? [bytes.lastIndexOf('}'), ',"padding":"', '"}']
        : [bytes.length, '\r\n# ', '']
    const padding = `${start}${'a'.repeat(extraBytes)}${last}`
    const longer = Buffer.concat([bytes.subarray(0, end), Buffer.from(padding)])
    reply.header('content-length', longer.length)
    done(null, longer)
  })
}
