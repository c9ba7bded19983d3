import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { CausewayError } from '../../errors'
import { isLoopbackHost, isSecureUrl } from './loopback'
import { isLoopbackAddress, isPrivateAddress, isPublicAddress } from './network-addresses'

/** The network addresses that a request may go to. */
export interface AddressRule {
  /** Throws `http/private-address` for a URL with a forbidden IP address, which is never looked up. */
  check(url: URL): void
  /** Resolves a name once and returns only allowed addresses, so that a second look-up cannot differ. */
  readonly lookup: LookupFunction
}

/**
 * Limits the addresses that a server may send us to. They must be public, so that no server reaches into the network around
 * this computer, except for the server's own origin; a server on this computer may also name others on it.
 */
export interface AddressRules {
  /** Returns undefined for a URL that is not allowed for any host: without https, or with a password. */
  readonly ruleFor: (url: URL, namedBy: URL) => AddressRule | undefined
  /** Does the same; a server whose addresses are all in a private network may also name others in one. */
  readonly ruleForStorage: (url: URL, namedBy: URL) => Promise<AddressRule | undefined>
}

/** Creates the rules; `lookup` resolves host names, by default with the system's resolver. */
export function createAddressRules(lookup: typeof systemLookup = systemLookup): AddressRules {
  const anyAddress = rule(lookup, () => true)
  const publicOnly = rule(lookup, isPublicAddress)
  const loopbackToo = rule(lookup, (address) => isPublicAddress(address) || isLoopbackAddress(address))
  const privateToo = rule(lookup, (address) => isPublicAddress(address) || isPrivateAddress(address))

  const ruleFor = (url: URL, namedBy: URL): AddressRule | undefined => {
    if (!isSecureUrl(url) || url.username !== '' || url.password !== '') return undefined
    if (url.origin === namedBy.origin) return anyAddress
    if (isLoopbackHost(namedBy.hostname)) return loopbackToo
    return url.protocol === 'https:' ? publicOnly : undefined
  }

  return {
    ruleFor,
    ruleForStorage: async (url, namedBy) => {
      const found = ruleFor(url, namedBy)
      return found === publicOnly && (await isInPrivateNetwork(namedBy, lookup)) ? privateToo : found
    },
  }
}

function rule(lookup: typeof systemLookup, allows: (address: string) => boolean): AddressRule {
  return {
    check: (url) => {
      const host = hostOf(url)
      if (isIP(host) !== 0 && !allows(host)) throw privateAddress(url.host)
    },
    lookup: (hostname, options: LookupOptions, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
        const [first, ...others] = error === null ? found.filter(({ address }) => allows(address)) : []
        if (first === undefined) callback(error ?? privateAddress(hostname), '', 4)
        else if (options.all === true) callback(null, [first, ...others])
        else callback(null, first.address, first.family)
      })
    },
  }
}

/** Returns true if all addresses of the host are private; false if it cannot be resolved. */
function isInPrivateNetwork(url: URL, lookup: typeof systemLookup): Promise<boolean> {
  return new Promise((resolve) => {
    lookup(hostOf(url), { all: true }, (error, found) => {
      resolve(error === null && found.length > 0 && found.every(({ address }) => isPrivateAddress(address)))
    })
  })
}

/** Returns the host without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function privateAddress(host: string): CausewayError {
  return new CausewayError('http/private-address', { details: { host } })
}
