import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import type { App } from '../http/app'
import { withDefaults } from './defaults'
import { withOperationIds } from './operation-ids'

/** The interfaces that the mock plays; every route names the one that it belongs to in `schema.tags`. */
export const tags = {
  vpn: 'VPN application API',
  attachments: 'Attachments service',
  storage: 'Object storage',
  content: 'Content API',
  organizations: 'Organization API',
  control: 'Control',
} as const

type Responses = Record<string, { description?: string }>

/** Where a route does not say what an answer means, the name of its status does. */
function withDescriptions(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      { ...response, description: response.description ?? `${STATUS_CODES[status] ?? status}.` },
    ]),
  )
}

function controlRefusal(description: string) {
  return { description, type: 'object', properties: { error: { type: 'string' } }, required: ['error'] }
}

const otherPage: Responses = { '403': controlRefusal('The call comes from the page of another site.') }

/** What every control call that can have a body can answer, without its doing. */
const unreadable: Responses = {
  '400': controlRefusal('The body is not JSON.'),
  '413': controlRefusal('The body is too large.'),
  '415': controlRefusal('The Content-Type is none.'),
}

/** The answer to a body that is too large has the shape of the one to a body that does not fit. */
function tooLarge(responses: Responses): Responses {
  const refusal = responses['400'] ?? responses['422']
  return refusal === undefined ? {} : { '413': { ...refusal, description: 'The body is too large.' } }
}

/** The answers of a route with those that it has from the house that it stands in. */
function withCommonRefusals(isGet: boolean, schema: FastifySchema, responses: Responses): Responses {
  const isControl = schema.tags?.includes(tags.control) ?? false
  return {
    ...(schema.body === undefined ? {} : tooLarge(responses)),
    ...(isControl ? otherPage : {}),
    ...(isControl && !isGet ? unreadable : {}),
    ...responses,
  }
}

/**
 * Collects the OpenAPI description of every route that is added after this; `app.swagger()` gives it once all are.
 * Routes without a tag belong to no document and are left out.
 */
export function describeRoutes(app: App): void {
  void app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway mock server',
        description: 'The server side of every document, with calls to bend it.',
        version: '1',
      },
      tags: Object.values(tags).map((name) => ({ name })),
      components: {
        securitySchemes: {
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'From the token endpoint, `/oauth/token`.',
          },
        },
      },
    },
    transform: (route) => {
      const transformed = jsonSchemaTransform(route)
      // Missing where a route has none, whatever the types say.
      const schema = transformed.schema as FastifySchema | undefined
      if (schema?.tags === undefined || schema.hide === true) return transformed
      const responses = withCommonRefusals(
        route.route.method === 'GET',
        schema,
        (schema.response ?? {}) as Responses,
      )
      const querystring = withDefaults(schema.querystring, route.schema.querystring)
      return {
        ...transformed,
        schema: {
          ...schema,
          ...(querystring === undefined ? {} : { querystring }),
          response: withDescriptions(responses),
        },
      }
    },
    transformObject: (document) =>
      'openapiObject' in document ? withOperationIds(document.openapiObject) : document.swaggerObject,
  })
}
