import { lookup as systemLookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { hostOf } from '../../platform/http/dial'
import {
  isLinkLocalAddress,
  isLoopbackAddress,
  isPrivateAddress,
  isPublicAddress,
  isUnspecifiedAddress,
} from '../../platform/http/network-addresses'

/** Resolves a host name to its addresses. */
export type Lookup = (host: string) => Promise<readonly string[]>

/** How far inside an address is: on the internet, in a private network, on this computer. */
type Depth = 0 | 1 | 2

/**
 * Returns a function that tells whether a document from `source` may name a host: none that is further inside than the
 * source itself. Otherwise a service on the internet could make Causeway call hosts in the network around this computer, and
 * give them the sign-in. Names are looked up; one that this computer can't resolve, as behind a proxy, counts as public.
 */
export function innerHostRule(source: URL, lookup: Lookup = resolve): (url: URL) => Promise<boolean> {
  let own: Promise<readonly Depth[]> | undefined
  return async (url) => {
    if (url.hostname === source.hostname) return true
    const named = Math.max(0, ...(await depthsOf(url, lookup)))
    if (named === 0) return true
    own ??= depthsOf(source, lookup)
    // With one address on the internet, the source is there.
    const depths = await own
    return depths.length > 0 && named <= Math.min(...depths)
  }
}

async function depthsOf(url: URL, lookup: Lookup): Promise<readonly Depth[]> {
  const host = hostOf(url).replace(/\.$/, '')
  if (host === 'localhost' || host.endsWith('.localhost')) return [2]
  if (isIP(host) !== 0) return [Math.max(depthOf(host), isPublicAddress(host) ? 0 : 1) as Depth]
  // Not all other special addresses: some proxies give names addresses of 198.18.0.0/15.
  return (await lookup(host)).map(depthOf)
}

function depthOf(address: string): Depth {
  if (isLoopbackAddress(address) || isUnspecifiedAddress(address)) return 2
  return isPrivateAddress(address) || isLinkLocalAddress(address) ? 1 : 0
}

const limitMs = 5000

async function resolve(host: string): Promise<string[]> {
  const found = systemLookup(host, { all: true }).catch(() => [])
  return (await Promise.race([found, delay(limitMs, [], { ref: false })])).map(({ address }) => address)
}
