import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

/** Schema for a whole number in a query or path: digits only, within these bounds. OpenAPI shows an integer. */
export function wholeNumber(least: number, most: number) {
  const error = least === most ? `must be ${least}` : `must be a whole number from ${least} to ${most}`
  const digits = (value: unknown) =>
    typeof value === 'string' ? (/^\d{1,16}$/.test(value) ? Number(value) : NaN) : value
  return z.preprocess(digits, z.int({ error }).min(least, { error }).max(most, { error }))
}

/** Schema for such a number that may be left out. OpenAPI shows no `default` of a preprocessed value, but its `prefault`. */
export const wholeNumberOr = (usual: number, least: number, most: number) =>
  wholeNumber(least, most).prefault(usual)

/** Query or form parameters: a string if given once, an array if repeated. Schemas decide which is valid. */
export type Parameters = Record<string, string | string[]>

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

/**
 * Returns an address as most clients write it: without an origin, which a client sends that takes this server for its proxy, and
 * with no encoded letter in its path (RFC 9112, 3.2.2; RFC 3986, 6.2.2.2). The router takes both for the same path, so that all
 * checks of a path must.
 */
export function normalizedUrl(url: string): string {
  const local = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
  const start = local.indexOf('?')
  const path = start < 0 ? local : local.slice(0, start)
  if (!path.includes('%')) return local
  const plain = path.replace(/%[2-7][\da-f]/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : encoded
  })
  return `${plain}${local.slice(path.length)}`
}

export function pathOf({ url }: { url: string }): string {
  const start = url.indexOf('?')
  return start < 0 ? url : url.slice(0, start)
}

export function queryOf({ url }: { url: string }): Parameters {
  const start = url.indexOf('?')
  return start < 0 ? {} : parametersOf(url.slice(start + 1))
}

/** Returns the form fields of a request; none for another content type, as in the PHP portals that the mock plays. */
export function formOf(request: FastifyRequest): Parameters {
  const contentType = request.headers['content-type'] ?? ''
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)
  return isForm && typeof request.body === 'string' ? parametersOf(request.body) : {}
}
