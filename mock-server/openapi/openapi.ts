import swagger from '@fastify/swagger'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { App } from '../http/app'

/** The interfaces that the mock plays; every route names the one that it belongs to in `schema.tags`. */
export const tags = {
  vpn: 'VPN application API',
  attachments: 'Attachments service',
  storage: 'Object storage',
  content: 'Content API',
  organizations: 'Organization API',
  control: 'Control',
} as const

/** Collects the OpenAPI description of every route that is added after this; `app.swagger()` gives it once all are. */
export function describeRoutes(app: App): void {
  void app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway mock server',
        description: 'The server side of every document, with calls to bend it.',
        version: '1',
      },
      tags: Object.values(tags).map((name) => ({ name })),
    },
    transform: jsonSchemaTransform,
  })
}
