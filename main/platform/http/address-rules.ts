import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import { allowedNetworks, isLoopbackHost, urlProblem, type UrlPurpose } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import { hostOf } from './dial'
import {
  isLinkLocalAddress,
  isLoopbackAddress,
  isPrivateAddress,
  isPublicAddress,
  isUnspecifiedAddress,
} from './network-addresses'

/** The network addresses that a request may go to. Rules of the same networks are the same object. */
export interface AddressRule {
  /** Throws `http/private-address` for a URL with a forbidden IP address, which is never looked up. */
  check(url: URL): void
  /** Resolves a name once and returns only allowed addresses, so that a second look-up cannot differ. */
  readonly lookup: LookupFunction
}

/**
 * Limits the addresses that a server may send us to (contract/safe-url.ts): those of the public internet, so that no server
 * reaches into the network around this computer, except for the server's own origin; a server on this computer may also name
 * others on it. For files, a server whose addresses are all in a private network may also name others in one.
 */
export interface AddressRules {
  /** For addresses of the person and the administrator, and those that discovery has allowed. */
  readonly anyAddress: AddressRule
  /** Returns undefined for a URL that the purpose doesn't allow for any host. */
  ruleFor(purpose: FilePurpose, url: URL, namedBy: URL): Promise<AddressRule | undefined>
  /**
   * Returns a function that tells whether a tunnel may be carried to this address of the server: never on this computer, and in
   * a private network only for a service in one, or for the service's own host. Looks the service up at once: later the
   * tunnel may stand in the way.
   */
  ruleForTunnel(server: URL, namedBy: URL): (address: string) => Promise<boolean>
}

/** What a service names that Causeway fetches or sends. */
export type FilePurpose = Extract<UrlPurpose, 'file' | 'picture'>

/** Creates the rules; `lookup` resolves host names, `own` lists the addresses of this computer. By default, the system does. */
export function createAddressRules(
  lookup: typeof systemLookup = systemLookup,
  own: () => readonly string[] = ownAddresses,
): AddressRules {
  const anyAddress = rule(lookup, () => true)
  const publicOnly = rule(lookup, isPublicAddress)
  const loopbackToo = rule(lookup, (address) => isPublicAddress(address) || isLoopbackAddress(address))
  /** The services that were found in private networks, or on this computer. */
  const inner = new Set<string>()
  const privateToo = rule(lookup, (address) => isPublicAddress(address) || isPrivateAddress(address))

  return {
    anyAddress,
    ruleFor: async (purpose, url, namedBy) => {
      if (urlProblem(purpose, url, namedBy) !== undefined) return undefined
      const networks = allowedNetworks(purpose)
      if (url.origin === namedBy.origin) return anyAddress
      if (isLoopbackHost(namedBy.hostname)) return loopbackToo
      const isOwn = networks === 'public-or-own' && (await areAllOf(namedBy, lookup, isPrivateAddress))
      return isOwn ? privateToo : publicOnly
    },
    ruleForTunnel: (server, namedBy) => {
      const { host } = namedBy
      const mayBeInside =
        server.hostname === namedBy.hostname || isLoopbackHost(namedBy.hostname) || inner.has(host)
          ? Promise.resolve(true)
          : areAllOf(namedBy, lookup, isInner).then((isInside) => {
              if (isInside) inner.add(host)
              return isInside
            })
      return async (address) => {
        if (isLoopbackAddress(address) || isUnspecifiedAddress(address) || own().includes(address))
          return false
        // Not all special addresses: some proxies give names addresses of 198.18.0.0/15.
        return isPrivateAddress(address) || isLinkLocalAddress(address) ? await mayBeInside : true
      }
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

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address))
}

function isInner(address: string): boolean {
  return isPrivateAddress(address) || isLinkLocalAddress(address) || isLoopbackAddress(address)
}

/** Returns true if all addresses of the host are of this kind; false if it cannot be resolved. */
function areAllOf(
  url: URL,
  lookup: typeof systemLookup,
  isOne: (address: string) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    lookup(hostOf(url), { all: true }, (error, found) => {
      resolve(error === null && found.length > 0 && found.every(({ address }) => isOne(address)))
    })
  })
}

function privateAddress(host: string): CausewayError {
  return new CausewayError('http/private-address', { details: { host } })
}
