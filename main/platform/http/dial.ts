import type { LookupAddress } from 'node:dns'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'

/** Where a connection goes; `host` is a name or an IP address without brackets. */
export interface Endpoint {
  readonly host: string
  readonly port: number
}

/** Returns the host of a URL, without the brackets of IPv6. */
export function hostOf({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** Returns the host and port of a URL. */
export function endpointOf(url: Pick<URL, 'hostname' | 'port' | 'protocol'>): Endpoint {
  return { host: hostOf(url), port: Number(url.port || (url.protocol === 'https:' ? 443 : 80)) }
}

/** How long an address has before the next one is tried beside it, in milliseconds (RFC 8305, section 5). */
const attemptDelayMs = 250
const timeoutMs = 10_000

/**
 * Connects to the first address of a host that answers (RFC 8305): an address of the other family is tried beside one that is
 * slow, and at once after one that fails. Node's own `autoSelectFamily` gives each address up after 250 ms, so that it never
 * reaches a server with a slow working family and a dead one. Rejects with an AggregateError, the error that says most about the server first.
 */
export async function dial({ host, port }: Endpoint, lookup: LookupFunction): Promise<Socket> {
  const addresses = inTurns(isIP(host) === 0 ? await addressesOf(host, lookup) : [host])
  return new Promise((resolve, reject) => {
    const sockets = new Set<Socket>()
    const errors: Error[] = []
    let next: NodeJS.Timeout | undefined
    const end = (): void => {
      clearTimeout(next)
      clearTimeout(limit)
      for (const socket of sockets) socket.destroy()
    }
    const failed = (error: Error): void => {
      errors.push(error)
      if (addresses.length > 0) attempt()
      else if (sockets.size === 0) {
        end()
        reject(byMeaning(errors))
      }
    }
    const attempt = (): void => {
      clearTimeout(next)
      const address = addresses.shift()
      if (address === undefined) return
      const socket = connect({ host: address, port, noDelay: true, keepAlive: true })
      sockets.add(socket)
      socket.once('connect', () => {
        sockets.delete(socket)
        socket.off('error', lost)
        end()
        resolve(socket)
      })
      const lost = (error: Error): void => {
        sockets.delete(socket)
        failed(error)
      }
      socket.once('error', lost)
      if (addresses.length > 0) next = setTimeout(attempt, attemptDelayMs)
    }
    const limit = setTimeout(() => {
      end()
      reject(Object.assign(new Error('No address answered in time'), { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    attempt()
  })
}

function addressesOf(host: string, lookup: LookupFunction): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(host, { all: true }, (error, found) => {
      if (error !== null) reject(error)
      else resolve((found as LookupAddress[]).map(({ address }) => address))
    })
  })
}

/** Returns the addresses with the families in turns, the system's favourite first. */
function inTurns(addresses: readonly string[]): string[] {
  const first = isIP(addresses[0] ?? '')
  const favourites = addresses.filter((address) => isIP(address) === first)
  const others = addresses.filter((address) => isIP(address) !== first)
  return favourites
    .flatMap((address, index) => [address, ...others.slice(index, index + 1)])
    .concat(others.slice(favourites.length))
}

/** Returns all errors, the one that says most first: an answer of the server says more than a network that lacks one family. */
function byMeaning(errors: readonly Error[]): AggregateError {
  const noRoute = ['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']
  const first = errors.find((error) => !('code' in error && noRoute.includes(String(error.code))))
  return new AggregateError(
    first === undefined ? errors : [first, ...errors.filter((each) => each !== first)],
  )
}
