import type { OpenAPIV3_1 } from 'openapi-types'
import { methods, tags } from './openapi'

/** Name of an interface in the address of its document. */
export type Interface = keyof typeof tags
export const interfaces = Object.keys(tags) as Interface[]

function onlyTagged(item: OpenAPIV3_1.PathItemObject, tag: string): OpenAPIV3_1.PathItemObject | undefined {
  const operations = methods.flatMap((method) => {
    const operation = item[method]
    return operation?.tags?.includes(tag) ? [[method, operation] as const] : []
  })
  return operations.length === 0 ? undefined : Object.fromEntries(operations)
}

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

/** Returns the document of one interface. */
export function documentOf(all: OpenAPIV3_1.Document, name: Interface): OpenAPIV3_1.Document {
  const tag = tags[name]
  const paths = Object.entries(all.paths ?? {}).flatMap(([path, item]) => {
    const kept = item === undefined ? undefined : onlyTagged(item, tag)
    return kept === undefined ? [] : [[path, kept] as const]
  })
  return {
    ...all,
    info: { ...all.info, title: `${all.info.title}: ${tag}` },
    tags: [{ name: tag }],
    paths: Object.fromEntries(paths),
  }
}
