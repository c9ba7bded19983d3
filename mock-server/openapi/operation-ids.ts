import { methods } from './operations'

type Item = Partial<Record<(typeof methods)[number], { operationId?: string }>>

/** Segments that say nothing about an operation: the versions and bases of interfaces. */
const omitted = /^(?:v?\d[\d.]*|api|vpn|v\d+)$/

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}

/** Returns a name made of method and path: `getClubItem`, `patchAttachmentsById`, `postMockFaults`. */
function nameOf(method: string, path: string): string {
  const segments = path.split('/').filter((segment) => !omitted.test(segment))
  const parts = segments.map((segment) => {
    const name = (segment.match(/[A-Za-z0-9]+/g) ?? []).map(capitalized).join('')
    return segment.startsWith('{') ? `By${name}` : name
  })
  return `${method}${parts.join('')}`
}

/** Returns the document with a unique id for every operation. */
export function withOperationIds<T extends { paths?: object }>(document: T): T {
  const given = new Set<string>()
  const newId = (method: string, path: string) => {
    const name = nameOf(method, path)
    let id = name
    for (let turn = 2; given.has(id); turn += 1) id = `${name}${turn}`
    given.add(id)
    return id
  }
  const named = Object.entries(document.paths ?? {}).map(([path, item]: [string, Item]) => {
    const operations = methods.flatMap((method) => {
      const operation = item[method]
      return operation === undefined
        ? []
        : [[method, { operationId: newId(method, path), ...operation }] as const]
    })
    return [path, { ...item, ...Object.fromEntries(operations) }] as const
  })
  return { ...document, paths: Object.fromEntries(named) }
}
