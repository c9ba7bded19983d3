import { changeJson } from '../../platform/http/lossless-json'

const secretField = /token|secret|passw|passphrase|authori[sz]ation|cookie|credential|signature|private.?key/i
/** Names of query parameters that make an address one that only its holder should have. */
const secretParameter =
  /(?:^|[&;])(?:x-(?:amz|goog|ms|oss)-[a-z-]{1,40}|[a-z_.-]{0,40}(?:signature|token|secret|passw|credential)[a-z_.-]{0,40}|sig|sas|hmac|auth|key|api_?key|[a-z]{0,40}accesskey(?:id)?|expires)=/i
/** Also as it stands in JSON that is text itself, with `\/` for a slash. */
const addresses = /https?:(?:\/|\\\/){2}(?:[^\s"'<>\\]|\\\/)+/gi

/**
 * What a service answered without what may not be kept: the address of an uploaded file, which lets its holder read it,
 * anything else that is signed or holds a password, and fields that are named as secrets. Undefined for what is no JSON.
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
  // A name may be written with percent signs, to be overlooked.
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
