import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsIn, tags } from './openapi'

/** Name of an interface in the address of its document. */
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
  const kept = Object.entries(schemas).filter(([name]) => used.has(name))
  return { ...document, components: { ...others, schemas: Object.fromEntries(kept) } }
}

export function documentOf(all: OpenAPIV3_1.Document, name: Interface): OpenAPIV3_1.Document {
  const tag = tags[name]
  const paths: OpenAPIV3_1.PathsObject = {}
  for (const [method, path, operation] of operationsIn(all)) {
    if (operation.tags?.includes(tag)) paths[path] = { ...paths[path], [method]: operation }
  }
  return { ...all, info: { ...all.info, title: `${all.info.title}: ${tag}` }, tags: [{ name: tag }], paths }
}
