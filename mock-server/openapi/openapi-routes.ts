import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { documentOf, type Interface, interfaces, tags, withUsedSchemas } from './openapi'
import { examplesOf, withExamples } from './examples'
import swagger from '@fastify/swagger'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text x="0" y="27" fill="#fff" ' +
  'font-family="system-ui, sans-serif" font-size="20">← Causeway mock server</text></svg>'

const pagePolicy = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

async function openPage(base: string, document: OpenAPIV3.Document): Promise<FastifyInstance> {
  const { default: swaggerUi } = await import('@fastify/swagger-ui')
  const page = Fastify()
  await page.register(swagger, { mode: 'static', specification: { document } })
  await page.register(swaggerUi, {
    routePrefix: `${base}/api`,
    staticCSP: pagePolicy,
    theme: { title: 'Causeway mock server: interfaces' },
    logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: base, target: '_self' },
    uiConfig: {
      urls: [
        { name: 'All interfaces', url: `${base}/openapi.json` },
        ...interfaces.map((name: Interface) => ({ name: tags[name], url: `${base}/openapi/${name}.json` })),
      ],
      docExpansion: 'list',
      tryItOutEnabled: true,
      validatorUrl: null,
      defaultModelsExpandDepth: -1,
    },
  })
  await page.ready()
  return page
}

/** Adds a page to try the interfaces. It is loaded on the first visit: Swagger UI would slow down each start. */
function addInterfacesPage(app: App, base: string): void {
  let opened: Promise<FastifyInstance> | undefined
  for (const path of [`${base}/api`, `${base}/api/*`]) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      // The types of the plugin don't know version 3.1.
      opened ??= openPage(base, app.swagger() as OpenAPIV3.Document)
      const page = await opened
      reply.hijack()
      page.routing(request.raw, reply.raw)
    })
  }
  app.addHook('onClose', async () => {
    await (await opened)?.close()
  })
}

const document = z.looseObject({ openapi: z.literal('3.1.0') }).describe('An OpenAPI document.')

/** Adds the OpenAPI documents, of all interfaces and of each, and a page to try them, below `base`. */
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
