import swagger from '@fastify/swagger'
import Fastify, { type FastifyInstance } from 'fastify'
import type { OpenAPIV3 } from 'openapi-types'
import type { App } from '../http/app'
import { interfaces, type Interface } from './documents'
import { tags } from './openapi'

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40"><text x="0" y="27" fill="#fff" ' +
  'font-family="system-ui, sans-serif" font-size="20">← Causeway mock server</text></svg>'

/** Content security policy for Swagger UI, which sets inline styles on its elements. */
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

/**
 * Adds a page to read and try the interfaces, at `/api` below `base`. It is an app of its own, loaded on the first visit:
 * Swagger UI would slow down each start of the mock.
 */
export function addInterfacesPage(app: App, base: string): void {
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
