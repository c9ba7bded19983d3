import { validateHeaderName, validateHeaderValue } from 'node:http'

/** Returns whether Node.js can send these headers. */
export function areSendable(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return true
  } catch {
    return false
  }
}

/** Returns whether HTTP allows this name of a header. */
export const isHeaderName = (name: string): boolean => areSendable({ [name]: '' })
