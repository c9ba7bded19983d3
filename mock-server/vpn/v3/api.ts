import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../../http/answer'
import { addRoute, type App, type ErrorArea, isBelow } from '../../http/app'
import { formOf, pathOf } from '../../http/parameters'
import { tags } from '../../openapi/openapi'
import { paths } from '../../paths'
import { answerIn, errorAnswer } from '../../schemas'
import { authorizationOf } from '../bearer'
import { apiCall, documented, unauthorized } from '../documented'
import { listedProfile3, profileIdPattern } from '../profile'

const errors = { 401: unauthorized, 404: errorAnswer('This portal does not offer version 3 of the API') }
const errorsWithBody = {
  ...errors,
  413: errorAnswer('The body is too large'),
  415: errorAnswer('The Content-Type is not valid'),
}

const infoAnswer = z.object({ info: z.object({ profile_list: z.array(listedProfile3) }) })

/** Base64 of 32 bytes in canonical form, as portals check it (api-v3-facts.md, section 5). */
const publicKeyPattern = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw480]=$/

const connectForm = z.object({
  profile_id: z.string().regex(profileIdPattern),
  public_key: z.string().regex(publicKeyPattern).optional().describe('Needed for WireGuard'),
  prefer_tcp: z.enum(['yes', 'no']).optional(),
})

export const vpn3ErrorArea: ErrorArea = {
  holds: isBelow(paths.api3Base),
  send: (_request, reply, status, error) => sendJson(reply, status, { error }),
}

/** Answers 404 below the base of a version while the portal doesn't offer it. Add it before the bearer check. */
export function hideApi(app: App, version: 2 | 3): void {
  const holds = isBelow(version === 2 ? paths.apiBase : paths.api3Base)
  app.addHook('preHandler', (request, reply, done) => {
    if (request.world.vpn.offers(version) || !holds(pathOf(request))) done()
    else sendJson(reply, 404, { error: 'Not Found' })
  })
}

/** Returns the last value of a form field, as PHP does. */
function lastValue(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.at(-1) : value
}

function connectParameters(
  request: FastifyRequest,
): { error: string } | { profileId: string; publicKey: string | undefined; prefersTcp: boolean } {
  const form = formOf(request)
  const profileId = lastValue(form.profile_id)
  const publicKey = lastValue(form.public_key)
  const preferTcp = lastValue(form.prefer_tcp)
  const tcpOnly = lastValue(form.tcp_only)
  const { shape } = connectForm
  if (profileId === undefined) return { error: 'missing post parameter "profile_id"' }
  if (!shape.profile_id.safeParse(profileId).success) return { error: 'invalid value for "profile_id"' }
  if (!shape.public_key.safeParse(publicKey).success) return { error: 'invalid value for "public_key"' }
  if (!shape.prefer_tcp.safeParse(preferTcp).success) return { error: 'invalid value for "prefer_tcp"' }
  if (tcpOnly !== undefined && tcpOnly !== 'on' && tcpOnly !== 'off') {
    return { error: 'invalid value for "tcp_only"' }
  }
  const prefersTcp = preferTcp === undefined ? tcpOnly === 'on' : preferTcp === 'yes'
  return { profileId, publicKey, prefersTcp }
}

const configuration = z.string().describe('The configuration')

export function addVpn3Api(app: App): void {
  addRoute(app, 'GET', `${paths.api3Base}/info`, {
    ...apiCall(tags.vpn3, 'Lists the profiles (version 3)'),
    response: { 200: infoAnswer.describe('The profiles of this user'), ...errors },
    handler: ({ world }, reply) => sendJson(reply, 200, world.vpn.version3.info()),
  })
  addRoute(app, 'POST', `${paths.api3Base}/connect`, {
    ...apiCall(
      tags.vpn3,
      'Issues a configuration',
      'First withdraws every configuration of this login, even if the parameters are then refused. `Accept` lists the media types that the client accepts, without wildcards.',
    ),
    consumes: ['application/x-www-form-urlencoded'],
    body: documented(connectForm),
    response: {
      200: answerIn('The configuration; the header Expires is the end of the session', {
        'application/x-openvpn-profile': configuration,
        'application/x-wireguard-profile': configuration,
        'application/x-wireguard+tcp-profile': configuration,
      }),
      400: errorAnswer('A parameter is missing or malformed'),
      403: errorAnswer('This user may have no configurations'),
      ...errorsWithBody,
      404: errorAnswer('There is no such profile for this user, or no version 3 of the API'),
      406: errorAnswer('The client accepts none of the protocols of the profile'),
      500: errorAnswer('No configuration can be issued'),
    },
    handler: async (request, reply) => {
      const authorization = authorizationOf(request)
      const { askedOrigin: origin, world } = request
      const portal = world.vpn.version3
      const limit = await portal.makeRoom(authorization, lastValue(formOf(request).public_key))
      if (limit !== undefined) return sendJson(reply, limit.status, { error: limit.error })
      const parameters = connectParameters(request)
      if ('error' in parameters) return sendJson(reply, 400, parameters)
      const answer = await portal.connect(authorization, {
        ...parameters,
        accept: request.headers.accept,
        origin,
      })
      if ('status' in answer) return sendJson(reply, answer.status, { error: answer.error })
      const { expires } = answer
      if (expires !== undefined) {
        reply.header('expires', typeof expires === 'string' ? expires : expires.toUTCString())
      }
      return reply.header('content-type', answer.contentType).send(Buffer.from(answer.body))
    },
  })
  addRoute(app, 'POST', `${paths.api3Base}/disconnect`, {
    ...apiCall(tags.vpn3, 'Ends the connection: withdraws every configuration of this login'),
    response: { 204: z.null().describe('Done, also without a connection'), ...errorsWithBody },
    handler: async (request, reply) => {
      await request.world.vpn.version3.disconnect(authorizationOf(request))
      return reply.code(204).send()
    },
  })
}
