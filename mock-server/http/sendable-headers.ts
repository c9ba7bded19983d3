import { validateHeaderValue } from 'node:http'

/** Headers that follow from the body: a different value would have no effect, or break the answer. */
const framing = ['content-length', 'transfer-encoding', 'trailer']

/** Returns whether HTTP allows this name of a header. */
export const isHeaderName = (name: string): boolean => /^[!#$%&'*+.^_`|~\w-]+$/.test(name)

/** Returns whether answers can have these headers. */
export function areSendable(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) validateHeaderValue(name, value)
  } catch {
    return false
  }
  return Object.keys(headers).every((name) => isHeaderName(name) && !framing.includes(name.toLowerCase()))
}

/** Returns whether answers with this status have no body. */
export const hasNoBody = (status: number): boolean => status === 204 || status === 304
