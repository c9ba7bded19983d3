import { BlockList, isIP } from 'node:net'

/** IPv4 networks outside the public internet (IANA's registries of special-purpose addresses). */
const special = networks(
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
)

/** Public IPv6 addresses are global unicast, except those that carry IPv4 (Teredo, 6to4) or are for documentation. */
const globalIpv6 = networks('2000::/3')
const specialIpv6 = networks('2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20')

const loopback = networks('127.0.0.0/8', '::1/128')

/** Private networks: RFC 1918, shared address space (RFC 6598), unique local addresses (RFC 4193). */
const privateNetworks = networks('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7')

/** Connecting to it reaches this computer. */
const unspecified = networks('0.0.0.0/8', '::/128')

const linkLocal = networks('169.254.0.0/16', 'fe80::/10')

function networks(...prefixes: readonly string[]): BlockList {
  const list = new BlockList()
  for (const [address = '', length] of prefixes.map((prefix) => prefix.split('/')))
    list.addSubnet(address, Number(length), isIP(address) === 4 ? 'ipv4' : 'ipv6')
  return list
}

/** Returns true for an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  return isIP(address) === 4
    ? !isIn(special, address)
    : isIn(globalIpv6, address) && !isIn(specialIpv6, address)
}

/** Returns true for an IP address of this computer. */
export function isLoopbackAddress(address: string): boolean {
  return isIn(loopback, address)
}

/** Returns true for an IP address that only the local link knows. */
export function isLinkLocalAddress(address: string): boolean {
  return isIn(linkLocal, address)
}

/** Returns true for the unspecified IP address. */
export function isUnspecifiedAddress(address: string): boolean {
  return isIn(unspecified, address)
}

/** Returns true for an IP address of a private network. */
export function isPrivateAddress(address: string): boolean {
  return isIn(privateNetworks, address)
}

function isIn(networks: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
