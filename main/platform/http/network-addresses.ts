import { BlockList, isIP } from 'node:net'

/** Networks that are not of the public internet (the registries of special-purpose addresses of IANA). */
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

/** Of IPv6 only global unicast is public, and there not what only carries IPv4 (Teredo, 6to4) or is for documents. */
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

/** Networks of organizations and homes: RFC 1918, shared address space (RFC 6598), unique local addresses (RFC 4193). */
const ofOrganizations = new BlockList()
ofOrganizations.addSubnet('10.0.0.0', 8, 'ipv4')
ofOrganizations.addSubnet('172.16.0.0', 12, 'ipv4')
ofOrganizations.addSubnet('192.168.0.0', 16, 'ipv4')
ofOrganizations.addSubnet('100.64.0.0', 10, 'ipv4')
ofOrganizations.addSubnet('fc00::', 7, 'ipv6')

/** Whether an IP address is one of the public internet. What is no IP address is not. */
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

/** Whether an IP address is this very machine. */
export function isLoopbackAddress(address: string): boolean {
  return isIn(loopback, address)
}

/** Whether an IP address is in the network of an organization or a home. */
export function isPrivateAddress(address: string): boolean {
  return isIn(ofOrganizations, address)
}

function isIn(networks: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && networks.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
