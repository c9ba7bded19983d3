import { validateHeaderValue } from 'node:http'
import { z } from 'zod'

const maxHeaders = 50

/** Headers that follow from the body: a different value would have no effect, or break the answer. */
const framing = ['content-length', 'transfer-encoding', 'trailer']

export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(name)

function areSendable(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value)
  } catch {
    return false
  }
  return Object.keys(headers).every((name) => isHeaderName(name) && !framing.includes(name.toLowerCase()))
}

export const headersSchema = z
  .record(z.string(), z.string().max(8192))
  .refine((headers) => Object.keys(headers).length <= maxHeaders, 'has too many headers')
  .refine(areSendable, 'not a valid HTTP header')
  .optional()

export const hasNoBody = (status: number): boolean => status === 204 || status === 304
