import fc from 'fast-check'
import { anyText } from '../../scripts/any-text'

/** The subset of JSON Schema that zod generates for route schemas. */
export interface JsonSchema {
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  'x-anyOf'?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  default?: unknown
}

/** Texts known to break servers. */
export const hostileTexts = [
  '',
  ' ',
  '__proto__',
  'constructor',
  '\0',
  'a\0b',
  '\ud800',
  '\u202egnp.exe',
  '🜁',
  "' or 1=1 --",
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  '%00',
  '%',
  '%zz',
  'a\r\nset-cookie: b=c',
  'a'.repeat(10_000),
  '-1',
  '0',
  '1e309',
  'NaN',
  'null',
  'true',
  '[]',
  '{"a":1}',
  '0x10',
  '٣',
  '9007199254740993',
  '99999999999999999999',
  '2026-02-30T25:61:00Z',
  'http://',
  'javascript:alert(1)',
  '*',
  '-',
]

const wrongValues: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  [],
  {},
  [[]],
  { a: { b: { c: {} } } },
  { constructor: 1 },
]

/** Returns undefined for a pattern that the generator does not support, such as one with Unicode properties. */
function textsLike(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, 'u'))
  } catch {
    return undefined
  }
}

function texts(schema: JsonSchema): fc.Arbitrary<string> {
  const { minLength = 0, maxLength = 40, pattern, format } = schema
  if (format === 'date-time') {
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) })
      .map((date) => date.toISOString())
  }
  if (format === 'uri') return fc.webUrl()
  if (format === 'uuid') return fc.uuid()
  const matching = pattern === undefined ? undefined : textsLike(pattern)
  if (matching !== undefined) return matching.filter((text) => text.length <= (schema.maxLength ?? 1000))
  return anyText({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) })
}

function numbers({ minimum = -1000, maximum = 1000 }: JsonSchema): fc.Arbitrary<number> {
  const least = Math.ceil(Math.max(minimum, Number.MIN_SAFE_INTEGER))
  const most = Math.floor(Math.min(maximum, Number.MAX_SAFE_INTEGER))
  return fc.oneof(fc.integer({ min: least, max: Math.min(most, least + 1000) }), fc.constantFrom(least, most))
}

function objects(schema: JsonSchema): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const named = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, fitting(property)])),
    { requiredKeys: required.filter((name) => name in properties) },
  )
  if (typeof additionalProperties !== 'object' || Object.keys(properties).length > 0) return named
  return fc.dictionary(fc.string({ maxLength: 8 }), fitting(additionalProperties), { maxKeys: 3 })
}

/** Generates values that match a schema, as far as a generator can tell. */
export function fitting(schema: JsonSchema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf ?? schema['x-anyOf']
  if (choices !== undefined) return fc.oneof(...choices.map(fitting))
  if (schema.allOf !== undefined) return fitting(Object.assign({}, ...schema.allOf) as JsonSchema)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type ?? 'anything') {
    case 'string':
      return texts(schema)
    case 'integer':
    case 'number':
      return numbers(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, 4),
      })
    case 'object':
      return objects(schema)
    default:
      return fc.constantFrom<unknown>('text', 1, true, null, ['a'], { a: 1 })
  }
}

/** Returns numbers at the bounds of a schema and just beyond them. */
function edges(schema: JsonSchema): number[] {
  return [schema.minimum, schema.maximum]
    .filter((edge) => edge !== undefined)
    .flatMap((edge) => [edge - 1, edge, edge + 1])
}

/** Generates texts that almost match a schema or not at all: for queries, paths, headers and forms. */
export function oddTexts(schema: JsonSchema): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...hostileTexts, ...edges(schema).map(String)), anyText({ maxLength: 20 }))
}

/** Generates JSON that almost matches a schema (one property missing, added or replaced), or anything else. */
export function oddJson(schema: JsonSchema): fc.Arbitrary<unknown> {
  const anything = fc.constantFrom<unknown>(...wrongValues, ...hostileTexts, ...edges(schema))
  const damaged = fc
    .tuple(fitting(schema), fc.nat(), anything, fc.boolean())
    .map(([value, which, other, isRemoved]) => {
      if (typeof value !== 'object' || value === null) return other
      const names = [...Object.keys(value), 'unknownField']
      const name = names[which % names.length] ?? ''
      const rest = Object.entries(value).filter(([key]) => key !== name)
      return Object.fromEntries(isRemoved ? rest : [...rest, [name, other]])
    })
  return fc.oneof({ weight: 3, arbitrary: damaged }, { weight: 1, arbitrary: anything })
}
