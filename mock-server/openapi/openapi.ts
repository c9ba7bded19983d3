import { STATUS_CODES } from 'node:http'
import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../http/app'
import { withDefaults } from './defaults'
import { withOperationIds } from './operation-ids'

/** Interfaces that the mock plays; every route names its interface in `schema.tags`. */
export const tags = {
  vpn: 'VPN application API',
  vpn3: 'VPN application API, version 3',
  discovery: 'Discovery server',
  attachments: 'Attachments service',
  storage: 'Object storage',
  content: 'Content API',
  organizations: 'Organization API',
  control: 'Control',
} as const

type Responses = Record<string, { description?: string }>

/** Adds the name of the status where a route does not describe an answer. */
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

/** Answers that every control call can give before its handler runs. */
const refused: Responses = {
  '400': controlRefusal('The call takes no such input.'),
  '403': controlRefusal('The call comes from the page of another site.'),
}

/** Answers that every control call with a body can give before its handler runs. */
const unreadable: Responses = {
  '400': controlRefusal('The body is not JSON.'),
  '413': controlRefusal('The body is too large.'),
  '415': controlRefusal('The Content-Type is invalid.'),
}

/** Returns the answer to an oversized body, in the format of the one to an invalid body. */
function tooLarge(responses: Responses): Responses {
  const refusal = responses['400'] ?? responses['422']
  return refusal === undefined ? {} : { '413': { ...refusal, description: 'The body is too large.' } }
}

/** Adds the refusals that the app itself can answer to those of a route. */
function withCommonRefusals(isGet: boolean, schema: FastifySchema, responses: Responses): Responses {
  const isControl = schema.tags?.includes(tags.control) ?? false
  return {
    ...(schema.body === undefined ? {} : tooLarge(responses)),
    ...(isControl ? refused : {}),
    ...(isControl && !isGet ? unreadable : {}),
    ...responses,
  }
}

/**
 * Collects the OpenAPI description of every route that is added later; `app.swagger()` returns it once all are there.
 * Leaves out routes without a tag, which belong to no document.
 */
export function describeRoutes(app: App): void {
  void app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Causeway mock server',
        description: 'The server side of all documented interfaces, and calls to control the mock.',
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
      // A route without a schema has none here, despite the type.
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
    // Adds the named schemas: those with an id.
    transformObject: (document) => withOperationIds(jsonSchemaTransformObject(document)),
  })
}
