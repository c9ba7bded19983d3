import { isLoopbackHost } from '../http/loopback'
import { userAgent } from '../http/user-agent'

const timeoutMs = 3000

/**
 * Where to ask whether the network wants a sign-in first: at the instance's own host over plain http, so that nobody
 * else learns who uses it. Undefined for a host of this machine.
 */
export function plainAddress(instanceAddress: string): URL | undefined {
  const { hostname } = new URL(instanceAddress)
  return isLoopbackHost(hostname) ? undefined : new URL(`http://${hostname}/`)
}

/**
 * Asks there, without following. A server of ours sends to https at the same host, refuses, or does not know the page;
 * a page, or the way to another host, comes from a network that stands in between. False where nobody answers in 3 s.
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
    // Whatever failed before has its own error; this only knows of an answer.
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
