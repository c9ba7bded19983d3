import swaggerUi from '@fastify/swagger-ui'
import type { FastifyRequest } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { documentOf, interfaces, type Interface } from './documents'
import { tags } from './openapi'

const document = z.looseObject({ openapi: z.literal('3.1.0') }).describe('An OpenAPI document.')

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text x="0" y="27" fill="#fff" ' +
  'font-family="system-ui, sans-serif" font-size="20">← Causeway mock server</text></svg>'

/** Nothing but the page's own parts; it sets styles on its elements, which policies count as inline. */
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

/** The OpenAPI documents of all interfaces together and of each, and a page to read and try them, below `base`. */
export function addOpenapiRoutes(app: App, base: string, origin: () => string): void {
  const described = (summary: string) => ({ tags: [tags.control], summary })
  // By the name that the reader used: a page at localhost may not call 127.0.0.1. The host was checked before.
  const all = ({ headers: { host } }: FastifyRequest): OpenAPIV3_1.Document => ({
    ...(app.swagger() as OpenAPIV3_1.Document),
    servers: [{ url: host === undefined ? origin() : `http://${host}` }],
  })

  app.get(
    `${base}/openapi.json`,
    { schema: { ...described('The OpenAPI document of all interfaces'), response: { 200: document } } },
    (request, reply) => sendJson(reply, 200, all(request)),
  )
  for (const name of interfaces) {
    app.get(
      `${base}/openapi/${name}.json`,
      {
        schema: {
          ...described(`The OpenAPI document of one interface: ${tags[name]}`),
          response: { 200: document },
        },
      },
      (request, reply) => sendJson(reply, 200, documentOf(all(request), name)),
    )
  }

  const urls = [
    { name: 'All interfaces', url: `${base}/openapi.json` },
    ...interfaces.map((name: Interface) => ({ name: tags[name], url: `${base}/openapi/${name}.json` })),
  ]
  void app.register(swaggerUi, {
    routePrefix: `${base}/api`,
    staticCSP: pagePolicy,
    theme: { title: 'Causeway mock server: interfaces' },
    transformSpecification: (_document, request) => all(request),
    logo: { type: 'image/svg+xml', content: Buffer.from(logo), href: base, target: '_self' },
    uiConfig: {
      urls,
      docExpansion: 'list',
      tryItOutEnabled: true,
      validatorUrl: null,
      defaultModelsExpandDepth: -1,
    },
  })
}
