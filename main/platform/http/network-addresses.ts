import { BlockList, isIP } from 'node:net'

/** IPv4 networks outside the public internet (IANA's registries of special-purpose addresses). */
const special = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, prefix, 'ipv4')
}

/** Public IPv6 addresses are global unicast, except those that carry IPv4 (Teredo, 6to4) or are for documentation. */
const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')
const specialIpv6 = new BlockList()
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  specialIpv6.addSubnet(network, prefix, 'ipv6')
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Private networks: RFC 1918, shared address space (RFC 6598), unique local addresses (RFC 4193). */
const privateNetworks = new BlockList()
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4')
privateNetworks.addSubnet('100.64.0.0', 10, 'ipv4')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** Connecting to it reaches this computer. */
const unspecified = new BlockList()
unspecified.addSubnet('0.0.0.0', 8, 'ipv4')
unspecified.addAddress('::', 'ipv6')

const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
linkLocal.addSubnet('fe80::', 10, 'ipv6')

/** Returns true for an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
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
