import { isLoopbackHost } from '../../../contract/safe-url'
import { userAgent } from '../http/user-agent'

const timeoutMs = 3000

/**
 * Returns the address for detecting a captive portal: the instance's host over plain http, so that no third party learns
 * who uses it. Undefined for a host of this computer.
 */
export function plainAddress(instanceAddress: string): URL | undefined {
  const { hostname } = new URL(instanceAddress)
  return isLoopbackHost(hostname) ? undefined : new URL(`http://${hostname}/`)
}

/**
 * Detects a captive portal with a request that follows no redirect. The instance's server redirects to https at the same
 * host, refuses, or does not know the page; a page, or a redirect to another host, comes from the network. Returns false
 * without an answer in 3 s.
 */
export async function answersForAnother(address: URL, signal: AbortSignal): Promise<boolean> {
  try {
    const { status, headers, body } = await fetch(address, {
      redirect: 'manual',
      headers: { 'user-agent': userAgent },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await body?.cancel()
    return isForeign(address, status, headers.get('location'))
  } catch {
    // The original failure has its own error.
    return false
  }
}

function isForeign(address: URL, status: number, location: string | null): boolean {
  // RFC 6585, section 6: Network Authentication Required.
  if (status === 511) return true
  if (status < 300) return true
  if (status >= 400 || location === null || !URL.canParse(location, address.href)) return false
  const target = new URL(location, address)
  return target.hostname !== address.hostname || target.protocol !== 'https:'
}
