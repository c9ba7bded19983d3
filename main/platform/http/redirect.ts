import { isSecureUrl } from './loopback'

/**
 * Returns the target of a redirect if it may be followed: https, or plain http on this computer if `from` is too; else
 * undefined.
 */
export function redirectTarget(from: URL, location: string | undefined): URL | undefined {
  if (location === undefined || !URL.canParse(location, from.href)) return undefined
  const url = new URL(location, from)
  const isAllowed = isSecureUrl(url) && (url.protocol === 'https:' || from.protocol === 'http:')
  return isAllowed && url.username === '' && url.password === '' ? url : undefined
}
