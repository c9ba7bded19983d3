import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { CausewayError } from '../../errors'
import { isLoopbackHost, isSecureUrl } from './loopback'
import { isLoopbackAddress, isPrivateAddress, isPublicAddress } from './network-addresses'

/** To which addresses of the network a request may go. */
export interface AddressRule {
  /** Throws `http/private-address` where the URL names another one by its number, which nobody looks up. */
  check(url: URL): void
  /** For the request: looks a name up once and gives it only allowed addresses, so that no second look-up can differ. */
  readonly lookup: LookupFunction
}

/**
 * Where a server may send us: not into the network around this computer. An address that it names must be public, unless it
 * is of the server's own origin, which is asked anyway; a server on this very machine may name others on it.
 */
export interface AddressRules {
  /** Returns undefined for a URL that may not be asked whatever its host: no https, or with a password. */
  readonly ruleFor: (url: URL, namedBy: URL) => AddressRule | undefined
  /** The same; a server of which every address is in a private network may also name others in one. */
  readonly ruleForStorage: (url: URL, namedBy: URL) => Promise<AddressRule | undefined>
}

/** `lookup`: how names become addresses; default the system's way. */
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

/** One whose name cannot be looked up is not. */
function isInPrivateNetwork(url: URL, lookup: typeof systemLookup): Promise<boolean> {
  return new Promise((resolve) => {
    lookup(hostOf(url), { all: true }, (error, found) => {
      resolve(error === null && found.length > 0 && found.every(({ address }) => isPrivateAddress(address)))
    })
  })
}

/** Without the brackets of IPv6. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function privateAddress(host: string): CausewayError {
  return new CausewayError(
    'http/private-address',
    `The service gave the address ${host}, which isn't on the public internet, so Causeway didn't use it. Report this to the service's administrator.`,
    { details: { host } },
  )
}
