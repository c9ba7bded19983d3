import { isIPv4 } from 'node:net'
import os from 'node:os'

/** Returns true on a network that has given this computer an IPv6 address, and no IPv4 address. */
export function hasOnlyIpv6(
  interfaces: ReturnType<typeof os.networkInterfaces> = os.networkInterfaces(),
): boolean {
  const addresses = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address))
    .map(({ address }) => address)
  return addresses.length > 0 && !addresses.some((address) => isIPv4(address))
}

/** Returns true if a connection failed because the server has only IPv4 addresses, and this network only IPv6. */
export function isMissingIpv4(error: unknown): boolean {
  const tried = addressesIn(error)
  return tried.length > 0 && tried.every((address) => isIPv4(address)) && hasOnlyIpv6()
}

/** The addresses that were tried, from an error of a socket and what wraps it. */
function addressesIn(error: unknown): string[] {
  if (!(error instanceof Error)) return []
  const inner = [...(error instanceof AggregateError ? (error.errors as unknown[]) : []), error.cause]
  const own = 'address' in error && typeof error.address === 'string' ? [error.address] : []
  return [...own, ...inner.flatMap((each) => (each === error ? [] : addressesIn(each)))]
}
