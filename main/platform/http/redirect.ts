import { isSecureUrl } from './loopback'

/**
 * Where a redirect of `from` leads, as far as it may be followed: https, or plain http on this machine from plain http on
 * this machine; undefined for anything else.
 */
export function redirectTarget(from: URL, location: string | undefined): URL | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined
  const url = new URL(location, from)
  const isAllowed = isSecureUrl(url) && (url.protocol === 'https:' || from.protocol === 'http:')
  return isAllowed && url.username === '' && url.password === '' ? url : undefined
}
