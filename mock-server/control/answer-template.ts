import { randomUUID } from 'node:crypto'
import { parametersOf } from '../http/parameters'
import { valuesAt } from './json-path'
import type { MatchedRequest } from './request-match'

/** Values that a template may use besides those of the request. */
export interface TemplateValues {
  request: MatchedRequest
  origin: string
  now: Date
}

const placeholder = /\{\{\s*([a-z]+)(?:\.([^{}]{1,300}?))?\s*\}\}/gi
const mostCharacters = 1024 * 1024

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns the value of a placeholder; undefined if it means nothing, so that it stays as it is. */
function valueOf(
  name: string,
  part: string | undefined,
  { request, origin, now }: TemplateValues,
): string | undefined {
  switch (name) {
    case 'method':
      return request.method
    case 'path':
      return part === undefined ? request.path : (request.path.split('/')[Number(part)] ?? '')
    case 'query': {
      const given = parametersOf(request.query)
      if (part === undefined) return request.query
      return Object.hasOwn(given, part) ? ([given[part]].flat()[0] ?? '') : ''
    }
    case 'header':
      return part === undefined ? undefined : ([request.headers[part.toLowerCase()]].flat()[0] ?? '')
    case 'body':
      return part === undefined ? (request.body ?? '') : textOf(valuesAt(request.body ?? '', part)[0])
    case 'form': {
      const given = parametersOf(request.body ?? '')
      return part !== undefined && Object.hasOwn(given, part) ? ([given[part]].flat()[0] ?? '') : ''
    }
    case 'origin':
      return origin
    case 'now':
      return part === 'seconds' ? String(Math.floor(now.getTime() / 1000)) : now.toISOString()
    case 'uuid':
      return randomUUID()
    default:
      return undefined
  }
}

/** Returns a text with its placeholders, such as `{{query.id}}`, replaced. */
export function fillText(text: string, values: TemplateValues): string {
  return text
    .replace(
      placeholder,
      (whole, name: string, part: string | undefined) => valueOf(name, part, values) ?? whole,
    )
    .slice(0, mostCharacters)
}

/** Returns a JSON value with the placeholders in its texts replaced: the JSON stays valid, whatever the request has. */
export function fillJson(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return fillText(value, values)
  if (Array.isArray(value)) return value.map((element) => fillJson(element, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, fillJson(field, values)]))
}

/** Returns a text that is valid in a header: without line breaks and other control characters. */
export function fillHeader(text: string, values: TemplateValues): string {
  return fillText(text, values)
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, 8192)
}
