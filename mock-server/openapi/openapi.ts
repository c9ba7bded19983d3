import { STATUS_CODES } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import swagger from '@fastify/swagger'
import type { FastifySchema } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { App } from '../http/app'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const

interface Paths {
  paths?: OpenAPIV3_1.PathsObject
}

export function* operationsIn({
  paths = {},
}: Paths): Generator<[method: string, path: string, operation: OpenAPIV3_1.OperationObject]> {
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = item?.[method]
      if (operation !== undefined) yield [method, path, operation]
    }
  }
}

/** Segments that say nothing about an operation: the versions and bases of interfaces. */
const omitted = /^(?:v?\d[\d.]*|api|vpn|v\d+)$/

/** Returns a name made of method and path: `getClubItem`, `patchAttachmentsById`, `postMockFaults`. */
function nameOf(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => !omitted.test(segment))
  const parts = segments.map((segment) => {
    const words = segment.match(/[A-Za-z0-9]+/g) ?? []
    const name = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
    return segment.startsWith('{') ? `By${name}` : name
  })
  return `${method}${parts.join('')}`
}

/** Gives every operation of a document a unique id, and returns the document. */
export function withOperationIds<T extends Paths>(document: T): T {
  const given = new Set<string>()
  for (const [method, path, operation] of operationsIn(document)) {
    const name = nameOf(method, path)
    let id = name
    for (let turn = 2; given.has(id); turn += 1) id = `${name}${turn}`
    given.add(id)
    // Several methods of a route share one object.
    Object.assign(document.paths?.[path] ?? {}, { [method]: { operationId: id, ...operation } })
  }
  return document
}

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

function controlRefusal(description: string) {
  return { description, type: 'object', properties: { error: { type: 'string' } }, required: ['error'] }
}

/** Answers that every control call can give before its handler runs. */
const refused: Responses = {
  '400': controlRefusal('The call takes no such input.'),
  '403': controlRefusal('The call comes from the page of another site.'),
}

const unreadable: Responses = {
  '400': controlRefusal('The body is not JSON.'),
  '413': controlRefusal('The body is too large.'),
  '415': controlRefusal('The Content-Type is invalid.'),
}

/** Returns the answers of a route, with those that the app itself can give, and with a description of each. */
function allResponses(isGet: boolean, { tags: of, body, response }: FastifySchema): Responses {
  const own = (response ?? {}) as Responses
  const isControl = of?.includes(tags.control) === true
  // An oversized body is refused in the format of an invalid one.
  const refusal = body === undefined ? undefined : (own['400'] ?? own['422'])
  const responses: Responses = {
    ...(refusal && { '413': { ...refusal, description: 'The body is too large.' } }),
    ...(isControl && refused),
    ...(isControl && !isGet && unreadable),
    ...own,
  }
  return Object.fromEntries(
    Object.entries(responses).map(([status, one]) => [
      status,
      { ...one, description: one.description ?? `${STATUS_CODES[status] ?? status}.` },
    ]),
  )
}

/** A pattern with a class of Unicode, which the expressions of most languages don't have. */
const hasUnicodeClass = (pattern: unknown) => typeof pattern === 'string' && pattern.includes('\\p{')

interface JsonSchema {
  type?: unknown
  enum?: unknown[]
}

const isNull = (schema: unknown) => (schema as JsonSchema | undefined)?.type === 'null'

/**
 * Returns the schema in a union with null alone, as one that may be null: unions become classes of their own in
 * many languages. Objects stay in it: with two types, generators take them for objects that are never null.
 */
function orNull(union: unknown): JsonSchema | undefined {
  if (!Array.isArray(union) || union.length !== 2) return undefined
  const [schema, none] = union as JsonSchema[]
  if (!isNull(none) || typeof schema?.type !== 'string' || 'const' in schema) return undefined
  if (schema.type === 'object') return undefined
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) }
}

/** Returns whether these are a text and an object of texts, as localized values are. Generators for Java and Kotlin can't join the two. */
function isTextOrTexts(union: unknown): boolean {
  if (!Array.isArray(union) || union.length !== 2) return false
  const [text, texts] = union as (JsonSchema & { additionalProperties?: unknown })[]
  return text?.type === 'string' && texts?.type === 'object' && typeof texts.additionalProperties === 'object'
}

/** Returns the names of required properties without objects that may be null: a client in Java reads a required object even from null. */
function requiredNames(required: unknown, properties: unknown): unknown {
  if (!Array.isArray(required) || typeof properties !== 'object' || properties === null) return required
  const mayBeNull = ({ anyOf }: { anyOf?: unknown } = {}) =>
    Array.isArray(anyOf) && anyOf.length === 2 && orNull(anyOf) === undefined && isNull(anyOf[1])
  const schemas = properties as Record<string, object>
  return required.filter((name: string) => !mayBeNull(schemas[name]))
}

/**
 * Returns a document that generators of clients can use: `int64` for integers beyond 32 bits; an enum instead of a numeric constant,
 * in integers, and a plain type instead of a boolean one; no unions with null or of a text and texts (these are in `x-anyOf`); no defaults of null
 * or an empty object; no required objects that may be null; no patterns beside formats, or that only JavaScript reads.
 */
function portable<T>(part: T): T {
  if (Array.isArray(part)) return part.map((one: unknown) => portable(one)) as T
  if (typeof part !== 'object' || part === null) return part
  const { anyOf, ...given } = part as Record<string, unknown>
  const nullable = orNull(anyOf)
  const union = anyOf === undefined ? {} : { [isTextOrTexts(anyOf) ? 'x-anyOf' : 'anyOf']: anyOf }
  const whole = nullable === undefined ? { ...given, ...union } : { ...nullable, ...given }
  const { const: constant, default: initial, pattern, ...rest } = whole as Record<string, unknown>
  if (rest.type === 'boolean') delete rest.enum
  if (rest.required !== undefined) rest.required = requiredNames(rest.required, rest.properties)
  const values = constant === undefined ? rest.enum : [constant]
  if (rest.type === 'number' && Array.isArray(values) && values.every(Number.isInteger)) rest.type = 'integer'
  const isLarge =
    [rest.type].flat().includes('integer') && Number(rest.maximum) > 2 ** 31 && rest.format === undefined
  const isPlain = constant === undefined || typeof constant === 'boolean'
  const literal = typeof constant === 'string' ? { const: constant } : { enum: [constant] }
  const hasDefault = initial !== undefined && initial !== null && !isDeepStrictEqual(initial, {})
  const hasPattern = pattern !== undefined && rest.format === undefined && !hasUnicodeClass(pattern)
  return {
    ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, portable(value)])),
    ...(isPlain ? {} : literal),
    ...(hasDefault ? { default: initial } : {}),
    ...(hasPattern ? { pattern } : {}),
    ...(isLarge ? { format: 'int64' } : {}),
  } as T
}

/** Collects the OpenAPI description of every later route that has a tag; `app.swagger()` returns it. */
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
      return {
        ...transformed,
        schema: { ...schema, response: allResponses(route.route.method === 'GET', schema) },
      }
    },
    // Adds the named schemas: those with an id.
    transformObject: (document) =>
      withOperationIds(portable(jsonSchemaTransformObject(document) as OpenAPIV3_1.Document)),
  })
}

export type Interface = keyof typeof tags
export const interfaces = Object.keys(tags) as Interface[]

/** Returns the document without the schemas that nothing in it refers to. */
export function withUsedSchemas({ components, ...document }: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const { schemas = {}, ...others } = components ?? {}
  const used = new Set<string>()
  const use = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      use(schemas[name])
    }
  }
  use(document)
  const included = Object.entries(schemas).filter(([name]) => used.has(name))
  return { ...document, components: { ...others, schemas: Object.fromEntries(included) } }
}

export function documentOf(all: OpenAPIV3_1.Document, name: Interface): OpenAPIV3_1.Document {
  const tag = tags[name]
  const paths: OpenAPIV3_1.PathsObject = {}
  for (const [method, path, operation] of operationsIn(all)) {
    if (operation.tags?.includes(tag)) paths[path] = { ...paths[path], [method]: operation }
  }
  return { ...all, info: { ...all.info, title: `${all.info.title}: ${tag}` }, tags: [{ name: tag }], paths }
}
