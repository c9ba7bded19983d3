import { validateHeaderValue } from 'node:http'
import { z } from 'zod'

const maxHeaders = 50

/** Headers that follow from the body: a different value would have no effect, or break the answer. */
const framing = ['content-length', 'transfer-encoding', 'trailer']

export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(name)

function areSendable(headers: Record<string, string | string[]>): boolean {
  try {
    for (const [name, values] of Object.entries(headers))
      for (const value of [values].flat()) validateHeaderValue(name, value)
  } catch {
    return false
  }
  return Object.keys(headers).every((name) => isHeaderName(name) && !framing.includes(name.toLowerCase()))
}

const value = z.string().max(8192)

/** Headers with a value, or with several for a header that is repeated. */
export const headersSchema = z
  .record(z.string(), z.union([value, z.array(value).min(1).max(10)]))
  .refine((headers) => Object.keys(headers).length <= maxHeaders, 'has too many headers')
  .refine(areSendable, 'not a valid HTTP header')
  .optional()

export const hasNoBody = (status: number): boolean => status === 204 || status === 304
