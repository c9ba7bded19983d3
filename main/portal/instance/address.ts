import { isIPv6 } from 'node:net'
import { CausewayError } from '../../errors'
import { isLoopbackHost, urlProblem } from '../../../contract/safe-url'
import { asPasted, hasMeantHost } from '../../platform/http/pasted-address'

export interface ParsedAddress {
  /** Host, port and path without scheme and final slash. */
  readonly id: string
  /** The base address as a URL with its final slash. */
  readonly address: string
}

const maxLength = 2048

/**
 * Parses an instance's base address that a user typed or pasted, with what came along from the text around it
 * (`asPasted`): a host name, with or without scheme, port, path or a final `info.json` (vpn-application-api.md, section 2). A query and a fragment are removed. The default scheme is https, or http
 * for this computer. Throws `discovery/insecure-address` (plain http to another computer) and `discovery/invalid-address`
 * with `details.reason`. The text isn't in the error, because it could contain a password.
 */
export function parseAddress(text: string): ParsedAddress {
  // An address copied from the browser may have a query and a fragment; a service has none.
  const typed = asPasted(text.trim().replace(/[?#].*$/s, ''))
  const url = parseUrl(typed)
  const problem = urlProblem('typed', url)
  if (problem === 'userinfo') throw invalid('credentials')
  if (problem !== undefined) throw new CausewayError('discovery/insecure-address')
  // A final dot means the same host, and is easily pasted with the end of a sentence.
  url.hostname = url.hostname.replace(/\.$/, '')
  if (!hasMeantHost(url, typed)) throw invalid('malformed')
  const path = url.pathname.replace(/\/info\.json$/, '/').replace(/\/*$/, '/')
  return { id: `${url.host}${path.slice(0, -1)}`, address: `${url.origin}${path}` }
}

function parseUrl(typed: string): URL {
  if (typed === '') throw invalid('empty')
  if (typed.length > maxLength) throw invalid('too-long')
  if (/[\s\p{Cc}\\"<>`{}|^]/u.test(typed)) throw invalid('characters')
  if (/^https?:\/\/[^/]/i.test(typed)) return toUrl(typed)
  // `name:` without a port is another scheme, such as mailto: or javascript:.
  if (/^[a-z][a-z0-9+.-]*:(?!\d)/i.test(typed) && !isIPv6(typed)) throw invalid('scheme')
  if (typed.startsWith('/')) throw invalid('no-host')
  const rest = isIPv6(typed) ? `[${typed}]` : typed
  return isLoopbackHost(toUrl(`https://${rest}`).hostname)
    ? toUrl(`http://${rest}`)
    : toUrl(`https://${rest}`)
}

function toUrl(text: string): URL {
  if (!URL.canParse(text)) throw invalid('malformed')
  return new URL(text)
}

function invalid(reason: string): CausewayError {
  return new CausewayError('discovery/invalid-address', { details: { reason } })
}
