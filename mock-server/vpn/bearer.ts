import type { FastifyRequest } from 'fastify'
import { sendJson } from '../http/answer'
import { type App, isBelow } from '../http/app'
import { pathOf } from '../http/parameters'
import { paths } from '../paths'
import { rememberLast } from '../remember-last'
import type { Authorization } from './token-store'

const isVersion2 = isBelow(paths.apiBase)
const isVersion3 = isBelow(paths.api3Base)

/** Refuses requests of both APIs without a valid token, once their body has been read. Unknown paths get 401 as well. */
export function addBearerCheck(app: App): void {
  // A client sends the same header with each request. Looking up its token hashes the text, unless it is the same object as before.
  const tokenIn = rememberLast((header: string) => /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/.exec(header)?.[1])
  app.decorateRequest('authorization', null)
  app.addHook('preHandler', (request, reply, done) => {
    const path = pathOf(request)
    if (!isVersion2(path) && !isVersion3(path)) {
      done()
      return
    }
    const accessToken = tokenIn(request.headers.authorization ?? '')
    const authorization =
      accessToken === undefined ? undefined : request.world.vpn.tokens.authorizationOf(accessToken)
    if (authorization !== undefined) {
      request.authorization = authorization
      done()
      return
    }
    reply.header('www-authenticate', 'Bearer realm="OAuth",error="invalid_token"')
    sendJson(reply, 401, {
      error: 'invalid_token',
      error_description:
        accessToken === undefined ? 'no bearer token was given' : 'the access token is not valid (any more)',
    })
  })
}

export function authorizationOf(request: FastifyRequest): Authorization {
  if (request.authorization === null) throw new Error('This path is not behind the bearer check.')
  return request.authorization
}
