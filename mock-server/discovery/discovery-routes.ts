import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import { addRoute, type App } from '../http/app'
import { queryOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import { listSchemas as lists } from '../seed/discovery'
import { documented } from '../vpn/documented'
import { listNames, type ServedFile } from './discovery-service'

const unchanged = z.null().describe('Unchanged since If-Modified-Since')
const error = z.object({ error: z.string() })
const skipWayfQuery = z.object({
  returnTo: z.url().describe('The authorization request'),
  orgId: z.string().describe('An org_id of the list of organizations'),
})

/** Serves a file, or 304 if `If-Modified-Since` equals its time, like common web servers. */
function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { text: body, lastModified }: ServedFile,
  contentType: string,
): FastifyReply {
  const time = lastModified.toUTCString()
  reply.header('last-modified', time)
  return request.headers['if-modified-since'] === time
    ? reply.code(304).send()
    : reply.header('content-type', contentType).send(Buffer.from(body))
}

/** Adds the discovery server below `base`, and the page of the home server's authentication_url_template. */
export function addDiscoveryLists(app: App, base: string, authorizePath: string): void {
  for (const name of listNames) {
    for (const path of [`${base}/${name}`, `${base}//${name}`]) {
      const described = { tags: [tags.discovery], hide: path.includes('//') }
      addRoute(app, 'GET', path, {
        ...described,
        summary: `The signed list ${name}`,
        response: { 200: lists[name].describe('The list'), 304: unchanged },
        handler: (request, reply) =>
          sendFile(request, reply, request.world.discovery.list(name), 'application/json'),
      })
      addRoute(app, 'GET', `${path}.minisig`, {
        ...described,
        summary: `The minisign signature of ${name}`,
        response: {
          200: {
            description: 'The signature',
            content: { 'application/octet-stream': { schema: z.string() } },
          },
          304: unchanged,
          404: error.describe('There is no such file'),
        },
        handler: (request, reply) => {
          const signature = request.world.discovery.signature(name)
          return signature === undefined
            ? sendJson(reply, 404, { error: 'Not Found' })
            : sendFile(request, reply, signature, 'application/octet-stream')
        },
      })
    }
  }
  addRoute(app, 'GET', `${base}/skip-wayf`, {
    tags: [tags.discovery],
    summary: 'Signs in at an organization, without asking for the organization',
    querystring: documented(skipWayfQuery),
    response: {
      302: z.null().describe('A redirect to the authorization request'),
      400: error.describe(
        'returnTo is not an authorization request of this portal, or the organization is unknown',
      ),
    },
    handler: (request, reply) => {
      const { returnTo, orgId } = queryOf(request)
      if (typeof returnTo !== 'string' || !returnTo.startsWith(`${request.askedOrigin}${authorizePath}?`)) {
        return sendJson(reply, 400, { error: 'returnTo must be an authorization request of this portal' })
      }
      if (typeof orgId !== 'string' || !request.world.discovery.organizationIds.includes(orgId)) {
        return sendJson(reply, 400, { error: 'orgId must be an organization of the list' })
      }
      return reply.code(302).header('location', returnTo).send()
    },
  })
}
