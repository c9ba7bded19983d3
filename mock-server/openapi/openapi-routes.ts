import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { OpenAPIV3, OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import swagger from '@fastify/swagger'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { documentOf, type Interface, interfaces, operationsIn, tags, withUsedSchemas } from './openapi'
import type { MockState } from '../mock-state'
import { paths } from '../paths'
import { filled } from '../seed/random'
import templates from './examples.json'

const base = paths.control

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

async function openPage(document: OpenAPIV3.Document): Promise<FastifyInstance> {
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
function addInterfacesPage(app: App): void {
  let opened: Promise<FastifyInstance> | undefined
  for (const path of [`${base}/api`, `${base}/api/*`]) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      // The types of the plugin don't know version 3.1.
      opened ??= openPage(app.swagger() as OpenAPIV3.Document)
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

export function addOpenapiRoutes(app: App): void {
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
  addInterfacesPage(app)
}

/** Values with which calls succeed, by method and path: of their parameters, by name, and of their bodies. */
type Examples = Record<string, { parameters?: Record<string, unknown>; body?: unknown } | undefined>

function fileParameters(address = ''): Record<string, unknown> {
  const url = URL.parse(address)
  if (url === null) return {}
  const [file, attachmentId] = url.pathname.split('/').reverse().map(decodeURIComponent)
  return { attachmentId, file, fileName: '', ...Object.fromEntries(url.searchParams) }
}

/** Returns examples for the current data. Calls that delete have ids that no other call needs. */
function examplesOf(
  { attachments, content, discovery, vpn }: MockState,
  origin: string,
  port: number,
): Examples {
  const identity = { userId: 'tester', roles: ['ADMINISTRATOR' as const] }
  const newest = attachments.list
    .select({})
    .slice(0, 100)
    .map((attachment) => attachments.entity(attachment, identity))
  const [link, otherLink] = newest.filter(({ type }) => type === 'EXTERNAL')
  const file = newest.find(({ type, status }) => type === 'INTERNAL' && status === 'COMPLETED')
  const contentType = 'text/plain'
  const upload = { method: 'PUT', key: 'examples/upload.txt', contentType, fileName: '' } as const
  const { users, entries, categories } = content.data
  const request = filled(templates['get /oauth/authorize'].parameters, { port }) as Record<string, string>
  return filled(templates, {
    port,
    refreshToken: vpn.exampleRefreshToken(),
    orgId: discovery.organizationIds[0],
    returnTo: `${origin}/oauth/authorize?${new URLSearchParams(request).toString()}`,
    link: link?.id,
    otherLink: otherLink?.id,
    file: file?.id,
    video: file?.videos[0],
    download: fileParameters(file?.url),
    upload: { ...fileParameters(attachments.storage.preSignedUrl(upload)), 'content-type': contentType },
    userId: users[0]?.id,
    entryId: entries[0]?.entry.id,
    entryUrl: entries[0]?.entry.url,
    category: categories[0]?.id,
  }) as Examples
}

function withExamples(document: OpenAPIV3_1.Document, examples: Examples): OpenAPIV3_1.Document {
  const copy = structuredClone(document)
  for (const [method, path, { parameters = [], requestBody }] of operationsIn(copy)) {
    const example = examples[`${method} ${path}`]
    for (const parameter of parameters) {
      if ('name' in parameter) parameter.example = example?.parameters?.[parameter.name]
    }
    if (example?.body === undefined || requestBody === undefined || !('content' in requestBody)) continue
    for (const media of Object.values(requestBody.content)) {
      media.example = example.body
      // Some programs take the fields of a form from the schema only.
      media.schema = { ...media.schema, example: example.body }
    }
  }
  return copy
}
