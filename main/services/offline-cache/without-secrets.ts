import { changeJson } from '../../json'

const secretField = /token|secret|passw|passphrase|authori[sz]ation|cookie|credential|signature|private.?key/i
/** Query parameters that make an address secret. */
const secretParameter =
  /(?:^|[&;])(?:x-(?:amz|goog|ms|oss)-[a-z-]{1,40}|[a-z_.-]{0,40}(?:signature|token|secret|passw|credential)[a-z_.-]{0,40}|sig|sas|hmac|auth|key|api_?key|[a-z]{0,40}accesskey(?:id)?|expires)=/i
/** Addresses, also inside JSON text with `\/` for a slash. */
const addresses = /https?:(?:\/|\\\/){2}(?:[^\s"'<>\\]|\\\/)+/gi

/**
 * Removes secrets from the JSON of an answer: addresses of uploaded files, signatures and passwords in addresses, and
 * fields with secret names. Returns undefined for anything but JSON.
 */
export function withoutSecrets(json: string): string | undefined {
  return changeJson(json, cleaned)
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(addresses, harmless)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  const isFile = 'type' in value && value.type === 'INTERNAL'
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
      if (isFile && name === 'url') return [[name, '']]
      return typeof inner === 'string' && secretField.test(name) ? [] : [[name, cleaned(inner)]]
    }),
  )
}

function harmless(address: string): string {
  const end = address.search(/[?#]/)
  const query = end === -1 ? '' : address.slice(end + 1)
  // Parameter names may be percent-encoded to avoid detection.
  const names = `${query}&${decoded(query)}`.replaceAll('&amp;', '&').replaceAll(/[?#]/g, '&')
  const shown = secretParameter.test(names) ? address.slice(0, end) : address
  return shown.replace(/^(https?:(?:\/|\\\/){2})[^/\\?#]*@/i, '$1')
}

function decoded(query: string): string {
  try {
    return decodeURIComponent(query)
  } catch {
    return ''
  }
}
