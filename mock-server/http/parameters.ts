import type { FastifyRequest } from 'fastify'

/** A parameter given once is a string, given several times an array: schemas then say which of the two they take. */
export type Parameters = Record<string, string | string[]>

/** The parameters of a query or form, as it was sent. */
export function parametersOf(text: string): Parameters {
  const given = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const before = given.get(name)
    if (before === undefined) given.set(name, [value])
    else before.push(value)
  }
  return Object.fromEntries(
    [...given].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}

/** The path of a request as it was sent, without its query. */
export function pathOf(request: FastifyRequest): string {
  const start = request.url.indexOf('?')
  return start < 0 ? request.url : request.url.slice(0, start)
}

/** The query parameters of a request. */
export function queryOf(request: FastifyRequest): Parameters {
  const start = request.url.indexOf('?')
  return start < 0 ? {} : parametersOf(request.url.slice(start + 1))
}

/** The form fields of a request; a body of another type has none, as in the PHP portals that this plays. */
export function formOf(request: FastifyRequest): Parameters {
  const contentType = request.headers['content-type'] ?? ''
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)
  return isForm && typeof request.body === 'string' ? parametersOf(request.body) : {}
}
