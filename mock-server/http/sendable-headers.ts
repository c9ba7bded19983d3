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
