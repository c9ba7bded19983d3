import { isIPv6 } from 'node:net'
import { CausewayError } from '../../errors'
import { isLoopbackHost } from '../../platform/http/loopback'

export interface ParsedAddress {
  /** Host, port and path without scheme and final slash. */
  readonly id: string
  /** The base address as a URL with its final slash. */
  readonly address: string
}

const maxLength = 2048

/**
 * An instance's base address out of what a person types or pastes: a host name, with or without scheme, port, path
 * or a final `info.json` (vpn-application-api.md, section 2); a query and a fragment are left out. Without a scheme it is https, for this very
 * machine http. Throws `discovery/insecure-address` (plain http to another
 * machine) and `discovery/invalid-address` with `details.reason`; the text itself is not in the error, as
 * it could hold a password.
 */
export function parseAddress(text: string): ParsedAddress {
  // An address copied from the browser may have a query and a fragment; a service has none.
  const typed = text.trim().replace(/[?#].*$/s, '')
  const url = parseUrl(typed)
  if (url.username !== '' || url.password !== '') {
    throw invalid('credentials', "An address can't contain a user name or password. Leave them out.")
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) {
    throw new CausewayError(
      'discovery/insecure-address',
      'This address starts with http://, so others on the network could read your data. Use the address that starts with https://.',
    )
  }
  // A full stop after the name means the same host; one comes along easily when the end of a sentence is pasted.
  url.hostname = url.hostname.replace(/\.$/, '')
  if (url.hostname.split('.').includes('')) throw notAnAddress('malformed')
  const path = url.pathname.replace(/\/info\.json$/, '/').replace(/\/*$/, '/')
  return { id: `${url.host}${path.slice(0, -1)}`, address: `${url.origin}${path}` }
}

function parseUrl(typed: string): URL {
  if (typed === '') throw invalid('empty', 'The address is empty. Enter one, such as vpn.example.org.')
  if (typed.length > maxLength) throw invalid('too-long', 'This address is too long. Check what you pasted.')
  if (/[\s\p{Cc}\\]/u.test(typed)) throw notAnAddress('characters')
  if (/^https?:\/\/[^/]/i.test(typed)) return toUrl(typed)
  // What looks like `name:` with no port behind it is another scheme, such as mailto: or javascript:.
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed) && !isIPv6(typed)) throw notAnAddress('scheme')
  if (typed.startsWith('/')) throw notAnAddress('no-host')
  const rest = isIPv6(typed) ? `[${typed}]` : typed
  return isLoopbackHost(toUrl(`https://${rest}`).hostname)
    ? toUrl(`http://${rest}`)
    : toUrl(`https://${rest}`)
}

function toUrl(text: string): URL {
  if (!URL.canParse(text)) throw notAnAddress('malformed')
  return new URL(text)
}

function notAnAddress(reason: string): CausewayError {
  return invalid(
    reason,
    "This isn't a valid service address. Enter it exactly as you were given it, such as vpn.example.org.",
  )
}

function invalid(reason: string, message: string): CausewayError {
  return new CausewayError('discovery/invalid-address', message, { details: { reason } })
}
