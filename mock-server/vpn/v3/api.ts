import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../../http/answer'
import { addRoute, type App, type ErrorArea, isBelow } from '../../http/app'
import { formOf, pathOf } from '../../http/parameters'
import { Refusal } from '../../http/refusal'
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

function connectParameters(request: FastifyRequest) {
  const form = formOf(request)
  const names = ['profile_id', 'public_key', 'prefer_tcp', 'tcp_only']
  const given = Object.fromEntries(names.map((name) => [name, lastValue(form[name])]))
  if (given.profile_id === undefined) throw new Refusal(400, 'missing post parameter "profile_id"')
  const { data, error } = connectForm.extend({ tcp_only: z.enum(['on', 'off']).optional() }).safeParse(given)
  if (data === undefined) throw new Refusal(400, `invalid value for "${String(error.issues[0]?.path[0])}"`)
  const { profile_id: profileId, public_key: publicKey, prefer_tcp, tcp_only } = data
  return {
    profileId,
    publicKey,
    prefersTcp: prefer_tcp === undefined ? tcp_only === 'on' : prefer_tcp === 'yes',
  }
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
      const { askedOrigin: origin, headers, world } = request
      const portal = world.vpn.version3
      await portal.makeRoom(authorization, lastValue(formOf(request).public_key))
      const wanted = { ...connectParameters(request), accept: headers.accept, origin }
      const { body, contentType, expires } = await portal.connect(authorization, wanted)
      if (expires !== undefined) {
        reply.header('expires', typeof expires === 'string' ? expires : expires.toUTCString())
      }
      return reply.header('content-type', contentType).send(Buffer.from(body))
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
