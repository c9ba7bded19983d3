import type { FastifyRequest } from 'fastify'
import { sendJson } from '../http/answer'
import { type App, isBelow } from '../http/app'
import { pathOf } from '../http/parameters'
import type { Authorization, TokenStore } from './token-store'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who calls, once the request has passed the bearer check. */
    authorization: Authorization | null
  }
}

/**
 * Refuses every request at or below `prefix` that carries no good access token, before it is looked at further
 * (field notes, "Bearer check"): even an unknown path is 401 without one. Its body has been read by then, for the journal.
 */
export function addBearerCheck(app: App, prefix: string, tokens: TokenStore): void {
  const holds = isBelow(prefix)
  app.decorateRequest('authorization', null)
  app.addHook('preHandler', (request, reply, done) => {
    if (!holds(pathOf(request))) {
      done()
      return
    }
    const accessToken = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/.exec(request.headers.authorization ?? '')?.[1]
    const authorization = accessToken === undefined ? undefined : tokens.authorizationOf(accessToken)
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

/** The authorization of a request that has passed the check. */
export function authorizationOf(request: FastifyRequest): Authorization {
  if (request.authorization === null) throw new Error('This path is not behind the bearer check.')
  return request.authorization
}
