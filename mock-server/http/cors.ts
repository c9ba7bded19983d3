import type { FastifyRequest } from 'fastify'
import type { App } from './app'
import { originIn } from './origin'

/** Headers of answers that pages may read in addition to the few that browsers always show. */
const exposed =
  'accept-ranges, content-disposition, content-range, date, etag, location, retry-after, www-authenticate'

/** Returns the origin of pages in the text of an option, or `*`. Throws an Error if it is neither. */
export function pageOriginIn(text: string): string {
  return text === '*' ? text : originIn(text)
}

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'

/** Lets pages of these origins read wanted answers (CORS). Add it before faults, so that pages can read those too. */
export function allowPages(
  app: App,
  origins: readonly string[],
  isWanted: (request: FastifyRequest) => boolean,
): void {
  const isAny = origins.includes('*')
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    if (isWanted(request) && !isAny) reply.header('vary', 'Origin')
    if (!isWanted(request) || origin === undefined || !(isAny || origins.includes(origin))) {
      done()
      return
    }
    reply.header('access-control-allow-origin', isAny ? '*' : origin)
    if (!isAny) reply.header('access-control-allow-credentials', 'true')
    const wanted = request.headers['access-control-request-method']
    if (request.method !== 'OPTIONS' || wanted === undefined) {
      reply.header('access-control-expose-headers', exposed)
      done()
      return
    }
    const headers = request.headers['access-control-request-headers']
    if (headers !== undefined) reply.header('access-control-allow-headers', headers)
    void reply
      .code(204)
      .header('access-control-allow-methods', methods)
      .header('access-control-max-age', '0')
      .send()
  })
}
