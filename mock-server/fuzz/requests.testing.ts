import fc from 'fast-check'
import { fitting, hostileTexts, oddJson, oddTexts, type JsonSchema } from './values.testing'

interface Parameter {
  name: string
  in: 'query' | 'path' | 'header'
  required?: boolean
  schema: JsonSchema
}

/** An operation of an OpenAPI document. */
export interface Operation {
  operationId: string
  tags: string[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: JsonSchema }> }
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>
}

export interface FuzzRequest {
  method: string
  /** Path and query. */
  url: string
  headers: Record<string, string>
  body: string | undefined
  /** Returns whether the request may reach another route than its operation's, or none. */
  mayStray: boolean
}

const maxHeadBytes = 15_000

/** Encodes a value like a client; a lone surrogate, which clients cannot encode, becomes its three bytes. */
function encode(text: string): string {
  return /\p{Surrogate}/u.test(text) ? '%ED%A0%80' : encodeURIComponent(text)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Generates the values of a parameter: none, one, or several for a repeated one. */
function valuesOf({ schema, required, in: place }: Parameter): fc.Arbitrary<string[]> {
  const good = fitting(schema).map((value) => (Array.isArray(value) ? value.map(textOf) : [textOf(value)]))
  const odd = oddTexts(schema).map((text) => [text])
  const none = fc.constant<string[]>([])
  const repeated = fc.tuple(good, odd).map(([some, others]) => [...some, ...others])
  return place === 'path'
    ? fc.oneof({ weight: 3, arbitrary: good }, { weight: 2, arbitrary: odd })
    : fc.oneof(
        { weight: 6, arbitrary: good },
        { weight: 3, arbitrary: odd },
        { weight: required === true ? 1 : 6, arbitrary: none },
        { weight: 1, arbitrary: repeated },
      )
}

interface Body {
  type: string | undefined
  text: string | undefined
}

function form(value: unknown): string {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [['value', value]]
  return fields.map(([name, field]) => `${encode(String(name))}=${encode(textOf(field))}`).join('&')
}

function bodyOf({ requestBody }: Operation): fc.Arbitrary<Body> {
  const none = fc.constant<Body>({ type: undefined, text: undefined })
  const contents = Object.entries(requestBody?.content ?? {})
  if (contents.length === 0) {
    const unexpected = fc.constantFrom<Body>(
      { type: 'application/json', text: '{"a":1}' },
      { type: 'application/json', text: '{"a":' },
      { type: 'text/plain', text: 'x' },
    )
    return fc.oneof({ weight: 12, arbitrary: none }, { weight: 1, arbitrary: unexpected })
  }
  const written = contents.map(([type, { schema = {} }]) => {
    const write = (value: unknown) => (type.includes('urlencoded') ? form(value) : JSON.stringify(value))
    const body = (value: unknown): Body => ({ type, text: write(value) })
    return fc.oneof(
      { weight: 5, arbitrary: fitting(schema).map(body) },
      { weight: 5, arbitrary: oddJson(schema).map(body) },
      { weight: 1, arbitrary: fitting(schema).map((value) => ({ type: 'text/plain', text: write(value) })) },
    )
  })
  const broken = fc.constantFrom<Body>(
    { type: 'application/json', text: '{"a": ' },
    { type: 'application/json', text: '{"__proto__": {"x": 1}}' },
    { type: 'application/json', text: '{"constructor": {"prototype": 1}}' },
    { type: 'application/json', text: '[]]' },
    { type: 'application/json', text: `${'['.repeat(5000)}${']'.repeat(5000)}` },
    { type: 'application/json', text: '' },
    { type: 'application/xml', text: '<a/>' },
    { type: 'garbage;;;', text: 'x' },
    { type: 'application/x-www-form-urlencoded', text: '%zz=\u0000&&&=' },
  )
  const huge = fc.constant<Body>({ type: contents[0]?.[0], text: `{"a":"${'a'.repeat(1_100_000)}"}` })
  return fc.oneof(
    { weight: 60, arbitrary: fc.oneof(...written) },
    { weight: 12, arbitrary: broken },
    { weight: 6, arbitrary: none },
    { weight: 1, arbitrary: huge },
  )
}

const otherMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND']

/** Parameter values by name that belong together, such as those of one pre-signed URL. */
export type Example = Record<string, string>

/** Knowledge that clients have in addition to the document. */
export interface Knowledge {
  /** Headers of most requests. */
  credentials: Record<string, string>
  examples: Example[]
}

/** Generates requests for an operation: valid, almost valid and absurd ones. */
export function requestsFor(
  method: string,
  path: string,
  operation: Operation,
  { credentials, examples }: Knowledge,
): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters ?? []
  const right = method.toUpperCase()
  return fc
    .record({
      values: fc.tuple(...parameters.map(valuesOf)),
      example: fc.constantFrom({}, ...examples, ...examples),
      isExampleKept: fc.tuple(
        ...parameters.map(() => fc.integer({ min: 0, max: 9 }).map((number) => number > 0)),
      ),
      body: bodyOf(operation),
      sentMethod: fc.oneof(
        { weight: 30, arbitrary: fc.constant(right) },
        { weight: 1, arbitrary: fc.constantFrom(...otherMethods) },
      ),
      hasCredentials: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
      unknownParameter: fc.oneof(
        { weight: 9, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
      ),
    })
    .map(({ values, example, isExampleKept, body, sentMethod, hasCredentials, unknownParameter }) => {
      const given = parameters.map((parameter, index) => {
        const known: string | undefined = example[parameter.name]
        const isKnown = known !== undefined && isExampleKept[index] === true
        return { parameter, texts: isKnown ? [known] : (values[index] ?? []) }
      })
      const inPath = given.filter(({ parameter }) => parameter.in === 'path')
      const url = inPath.reduce(
        (address, { parameter, texts }) =>
          address.replace(`{${parameter.name}}`, () => encode(texts[0] ?? '')),
        path,
      )
      const query = given
        .filter(({ parameter }) => parameter.in === 'query')
        .flatMap(({ parameter, texts }) => texts.map((text) => `${encode(parameter.name)}=${encode(text)}`))
      if (unknownParameter !== undefined)
        query.push(`${encode(unknownParameter)}=${encode(unknownParameter)}`)
      const headers = given
        .filter(({ parameter, texts }) => parameter.in === 'header' && texts.length > 0)
        // Headers cannot carry other characters.
        .map(
          ({ parameter, texts }) => [parameter.name, texts.join(', ').replace(/[^\x20-\x7e]/g, '?')] as const,
        )
      const hasBody =
        body.text !== undefined && sentMethod !== 'GET' && sentMethod !== 'HEAD' && sentMethod !== 'TRACE'
      return {
        method: sentMethod,
        url: query.length === 0 ? url : `${url}?${query.join('&')}`,
        headers: {
          ...(hasCredentials ? credentials : {}),
          ...Object.fromEntries(headers),
          ...(hasBody && body.type !== undefined ? { 'content-type': body.type } : {}),
          ...(hasBody ? { 'content-length': String(Buffer.byteLength(body.text ?? '')) } : {}),
        },
        body: hasBody ? body.text : undefined,
        mayStray:
          sentMethod !== right || inPath.some(({ texts }) => ['', '.', '..'].includes(texts[0] ?? '')),
      }
    })
    .filter(({ url, headers }) => url.length + JSON.stringify(headers).length < maxHeadBytes)
}

/** Returns an OpenAPI document with every reference replaced by the schema that it names. */
export function dereferenced(document: unknown): unknown {
  const { components } = document as { components: { schemas: Record<string, unknown> } }
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...others } = value as Record<string, unknown>
    const fields = Object.fromEntries(Object.entries(others).map(([name, field]) => [name, replace(field)]))
    if (typeof $ref !== 'string') return fields
    const named = replace(components.schemas[$ref.replace('#/components/schemas/', '')])
    return { ...(named as object), ...fields }
  }
  return replace(document)
}
