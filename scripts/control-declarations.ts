import type { OpenAPIV3_1 } from 'openapi-types'
import { createMockServer } from '../mock-server/server'

type Schema = OpenAPIV3_1.SchemaObject | OpenAPIV3_1.ReferenceObject
/** `x-anyOf` is a union that most generators of clients can't use. */
type Extended = OpenAPIV3_1.SchemaObject & { 'x-anyOf'?: Schema[] }
type Content = Record<string, { schema?: Schema }>

function objectType({
  properties = {},
  required = [],
  additionalProperties,
}: OpenAPIV3_1.SchemaObject): string {
  const fields = Object.entries(properties).map(
    ([name, field]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  const isOpen = typeof additionalProperties === 'object'
  if (isOpen && Object.keys(additionalProperties).length > 0) {
    fields.push(`[name: string]: ${typeOf(additionalProperties)}`)
  } else if (isOpen || (fields.length === 0 && additionalProperties !== false)) {
    fields.push('[name: string]: unknown')
  }
  return `{ ${fields.join('; ')} }`
}

/** Returns the TypeScript type of a JSON schema, as zod writes them. */
function typeOf(schema: Schema): string {
  if ('$ref' in schema) return schema.$ref.replace('#/components/schemas/', 'Schemas.')
  const { allOf, type } = schema
  const anyOf = schema.anyOf ?? schema.oneOf ?? (schema as Extended)['x-anyOf']
  const literals: unknown[] | undefined = 'const' in schema ? [schema.const] : schema.enum
  if (literals !== undefined) return literals.map((value) => JSON.stringify(value)).join(' | ')
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ')
  if (allOf !== undefined) return allOf.map((part) => `(${typeOf(part)})`).join(' & ')
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one } as Schema)).join(' | ')
  if (type === 'array') {
    const { prefixItems } = schema as { prefixItems?: Schema[] }
    if (prefixItems !== undefined) return `[${prefixItems.map(typeOf).join(', ')}]`
    return `(${typeOf(schema.items)})[]`
  }
  if (type === 'object') return objectType(schema)
  if (type === 'integer' || type === 'number') return 'number'
  return typeof type === 'string' ? type : 'unknown'
}

const contentType = (content: Content | undefined) => {
  const schema = content?.['application/json']?.schema
  return schema === undefined ? 'undefined' : typeOf(schema)
}

/**
 * Returns declarations of the types of all control calls, made from the OpenAPI document of the mock: an interface
 * `ControlApi`, and the types that it refers to. So the package needs no types of another package.
 */
export async function controlDeclarations(): Promise<string> {
  const mock = await createMockServer()
  try {
    const response = await fetch(`${mock.control}/openapi/control.json`)
    const { paths = {}, components } = (await response.json()) as OpenAPIV3_1.Document
    const named = Object.entries(components?.schemas ?? {}).map(
      ([name, schema]) => `  type ${name} = ${typeOf(schema)}`,
    )
    const calls = Object.entries(paths).flatMap(([path, item]) =>
      (['get', 'post', 'put', 'delete'] as const).flatMap((method) => {
        const operation = item?.[method]
        if (operation === undefined) return []
        const { parameters = [], requestBody, responses } = operation
        const inPlace = (place: string) => {
          const fields = parameters.flatMap((given) =>
            'name' in given && given.in === place
              ? [
                  `${JSON.stringify(given.name)}${given.required === true ? '' : '?'}: ${typeOf(given.schema ?? {})}`,
                ]
              : [],
          )
          return fields.length === 0 ? 'undefined' : `{ ${fields.join('; ')} }`
        }
        const body = requestBody !== undefined && 'content' in requestBody ? requestBody.content : undefined
        const answer = responses['200']
        const answers = answer !== undefined && 'content' in answer ? answer.content : undefined
        // A stream never ends.
        if (answers?.['application/json'] === undefined) return []
        const place = path.replace(/^\/_mock\/?/, '/').replace(/\{(\w+)\}/g, ':$1')
        const route = `${method.toUpperCase()} ${place}`
        return [
          `  ${JSON.stringify(route)}: {`,
          `    body: ${contentType(body)}`,
          `    query: ${inPlace('query')}`,
          `    params: ${inPlace('path')}`,
          `    answer: ${contentType(answers)}`,
          '  }',
        ]
      }),
    )
    const schemas = `declare namespace Schemas {\n${named.join('\n')}\n}`
    return `${schemas}\n\ninterface ControlApi {\n${calls.join('\n')}\n}`
  } finally {
    await mock.close()
  }
}
