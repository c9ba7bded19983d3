import type { FastifyRequest } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { documentOf, interfaces, withUsedSchemas } from './documents'
import { examplesOf, withExamples } from './examples'
import { addInterfacesPage } from './interfaces-page'
import { tags } from './openapi'

const document = z.looseObject({ openapi: z.literal('3.1.0') }).describe('An OpenAPI document.')

/**
 * Adds the OpenAPI documents, one for all interfaces and one for each, and a page to read and try them, below `base`.
 */
export function addOpenapiRoutes(app: App, base: string): void {
  const described = (summary: string) => ({
    schema: { tags: [tags.control], summary, response: { 200: document } },
  })
  // A page at localhost may not call 127.0.0.1.
  const all = ({ askedOrigin, socket, world }: FastifyRequest): OpenAPIV3_1.Document => ({
    ...withExamples(
      app.swagger() as OpenAPIV3_1.Document,
      examplesOf(world, askedOrigin, socket.localPort ?? 0),
    ),
    servers: [{ url: askedOrigin }],
  })
  app.get(`${base}/openapi.json`, described('The OpenAPI document of all interfaces'), (request, reply) =>
    sendJson(reply, 200, withUsedSchemas(all(request))),
  )
  for (const name of interfaces) {
    const summary = `The OpenAPI document of one interface: ${tags[name]}`
    app.get(`${base}/openapi/${name}.json`, described(summary), (request, reply) =>
      sendJson(reply, 200, withUsedSchemas(documentOf(all(request), name))),
    )
  }
  addInterfacesPage(app, base)
}
