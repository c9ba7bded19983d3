import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson, sendJsonText } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { queryOf } from '../http/parameters'
import * as schemas from './api-schemas'
import { authorizationOf } from './bearer'
import { documented } from './documented'
import { portalFeatures } from './portal-version'

/** Plain errors: `{"error": "text"}`, or plain text for clients that accept HTML (field notes, "Plain errors"). */
export function vpnErrorArea(prefix: string): ErrorArea {
  return { holds: isBelow(prefix), send: sendPlainError }
}

function sendPlainError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): FastifyReply {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
    ? reply.code(status).header('content-type', 'text/plain').send(Buffer.from(message))
    : sendJson(reply, status, { error: message })
}

/** Adds the calls of section 4 below `base`, behind the bearer check. */
export function addVpnApi(app: App, base: string): void {
  /** Adds a call without parameters, which is answered with an envelope (section 2, "Response envelope"). */
  const addReading = (
    call: string,
    summary: string,
    data: z.ZodType,
    read: (request: FastifyRequest) => unknown,
  ) => {
    const response = { 200: schemas.envelopeOf(call, data), ...schemas.apiErrors }
    app.get(`${base}/${call}`, { schema: { ...schemas.apiCall(summary), response } }, (request, reply) =>
      sendJson(reply, 200, { [call]: { ok: true, data: read(request) } }),
    )
  }

  const { apiCall, apiErrors, envelopeOf, plainError } = schemas
  const listed = { 200: envelopeOf('profile_list', z.array(schemas.listedProfile)), ...apiErrors }
  app.get(
    `${base}/profile_list`,
    { schema: { ...apiCall('Lists the profiles'), response: listed } },
    ({ world }, reply) => sendJsonText(reply, 200, world.vpn.listedProfiles()),
  )
  app.post(
    `${base}/create_keypair`,
    {
      schema: {
        ...apiCall(
          'Creates a client certificate and its private key',
          'Portals before 2.0.0 required display_name; the portals that the mock plays ignore the body.',
        ),
        consumes: ['application/x-www-form-urlencoded'],
        body: documented(z.object({ display_name: z.string().min(1).optional() }).optional()),
        response: {
          200: envelopeOf('create_keypair', schemas.issuedKeyPair),
          ...schemas.apiErrorsWithBody,
        },
      },
    },
    (request, reply) => {
      const data = request.world.vpn.issueKeyPair(authorizationOf(request))
      return sendJson(reply, 200, { create_keypair: { ok: true, data } })
    },
  )
  app.get(
    `${base}/check_certificate`,
    {
      schema: {
        ...apiCall('Checks a certificate and returns the reason if it is not valid'),
        querystring: documented(z.object({ common_name: schemas.commonName })),
        response: {
          200: envelopeOf('check_certificate', schemas.certificateCheck),
          400: plainError('The common name is missing or malformed'),
          ...apiErrors,
        },
      },
    },
    (request, reply) => {
      const { common_name } = queryOf(request)
      const name = schemas.commonName.safeParse(common_name)
      if (!name.success) {
        const problem =
          common_name === undefined ? 'missing "common_name" parameter' : 'invalid "common_name"'
        return sendPlainError(request, reply, 400, problem)
      }
      const data = request.world.vpn.checkCertificate(name.data)
      return sendJson(reply, 200, { check_certificate: { ok: true, data } })
    },
  )
  addProfileConfig(app, base)
  addReading(
    'system_messages',
    'Lists the system messages, newest first',
    z.array(schemas.shownMessage),
    ({ world }) => world.vpn.shownMessages(),
  )
  // Two calls of old clients that are no longer documented (field notes, last paragraph of the VPN part).
  addReading('user_info', 'Returns the user, for old clients', schemas.userInfo, (request) => ({
    user_id: authorizationOf(request).userId,
    is_disabled: false,
    two_factor_enrolled: false,
    two_factor_enrolled_with: [],
  }))
  const none = z.array(z.string()).max(0)
  addReading('user_messages', 'Returns an empty list of messages, for old clients', none, () => [])
}

/** Adds profile_config (section 4), with the error messages of portals. */
function addProfileConfig(app: App, base: string): void {
  app.get(
    `${base}/profile_config`,
    {
      schema: {
        ...schemas.apiCall(
          'Returns the OpenVPN configuration of a profile, without certificate and key',
          'An unknown, hidden or malformed profile is refused with status 200.',
        ),
        querystring: documented(schemas.profileConfigQuery),
        response: {
          200: {
            description: 'The configuration with CRLF, or an error in JSON',
            content: {
              'application/x-openvpn-profile': { schema: z.string() },
              'application/json': { schema: schemas.refusalOf('profile_config') },
            },
          },
          400: schemas.plainError('No profile_id was given'),
          ...schemas.apiErrors,
        },
      },
    },
    (request, reply) => {
      const refuse = (error: string) => sendJson(reply, 200, { profile_config: { ok: false, error } })
      const { profile_id, remote_strategy } = queryOf(request)
      if (profile_id === undefined) {
        return sendPlainError(request, reply, 400, 'missing "profile_id" parameter')
      }
      const id = schemas.profileConfigQuery.shape.profile_id.safeParse(profile_id)
      if (!id.success) return refuse('invalid "profile_id"')
      const strategy = Array.isArray(remote_strategy) ? '' : remote_strategy
      const { vpn } = request.world
      const config = vpn.profileConfig(id.data, strategy)
      return config === undefined
        ? refuse(portalFeatures(vpn.portal).profileRefusal)
        : reply.header('content-type', config.contentType).send(Buffer.from(config.body))
    },
  )
}
