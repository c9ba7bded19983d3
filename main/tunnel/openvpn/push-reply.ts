import { isIP, isIPv4 } from 'node:net'

import { prefixRange } from '../../platform/routes/address-range'
import type { DnsSettings } from '../../privilege/helper-client'
import { mayBeNameServer } from '../name-servers'

/** The pushed options that Causeway shows. */
interface PushedOptions {
  readonly ipv4?: string
  readonly ipv6?: string
  readonly cipher?: string
}

/**
 * Collects a push reply of several messages: `push-continuation 2` means that more follow, `1` marks the last, and none the
 * only one.
 */
export function gatherPushReply(
  gathered: readonly string[],
  message: readonly string[],
): { readonly options: readonly string[]; readonly complete: boolean } {
  const options = [...gathered, ...message.filter((option) => !option.startsWith('push-continuation '))]
  return { options, complete: !message.includes('push-continuation 2') }
}

/** Returns the addresses and the cipher; ignores invalid ones. */
export function readPushedOptions(options: readonly string[]): PushedOptions {
  const argument = (name: string) =>
    options.findLast((option) => option.startsWith(`${name} `))?.split(' ')[1]
  const ipv4 = argument('ifconfig')
  const ipv6 = argument('ifconfig-ipv6')?.replace(/\/\d+$/, '')
  const cipher = argument('cipher')
  return {
    ...(ipv4 !== undefined && isIPv4(ipv4) && { ipv4 }),
    ...(ipv6 !== undefined && isIP(ipv6) === 6 && { ipv6 }),
    ...(cipher !== undefined && /^[A-Za-z0-9-]{1,40}$/.test(cipher) && { cipher }),
  }
}

/**
 * Returns the pushed DNS servers and domains, in both forms that servers use: `dhcp-option DNS|DNS6|DOMAIN|
 * DOMAIN-SEARCH|DOMAIN-ROUTE` and `dns server N address|resolve-domains`, `dns search-domains`. Ignores invalid ones, and those
 * that can't be in a tunnel; undefined without a DNS server.
 */
export function readPushedDns(options: readonly string[]): DnsSettings | undefined {
  const servers = new Set<string>()
  const domains = new Set<string>()
  for (const option of options) {
    const [name, kind, ...rest] = option.split(' ')
    if (name === 'dhcp-option' && /^DNS6?$/.test(kind ?? '')) rest.forEach((each) => servers.add(each))
    else if (name === 'dhcp-option' && /^DOMAIN(-SEARCH|-ROUTE)?$/.test(kind ?? ''))
      rest.forEach((each) => domains.add(each))
    else if (name === 'dns' && kind === 'search-domains') rest.forEach((each) => domains.add(each))
    else if (name === 'dns' && kind === 'server') {
      const [, what, ...values] = rest
      if (what === 'address') values.forEach((each) => servers.add(withoutPort(each)))
      if (what === 'resolve-domains') values.forEach((each) => domains.add(each))
    }
  }
  const addresses = [...servers].filter((each) => {
    const range = isIP(each) === 0 ? undefined : prefixRange(each)
    return range !== undefined && mayBeNameServer(range)
  })
  return addresses.length === 0
    ? undefined
    : {
        servers: addresses.slice(0, 8),
        domains: [...domains].filter((each) => isDomain.test(each)).slice(0, 8),
      }
}

/** Limits domains so that eight fit into a line for the helper. */
const isDomain = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,62}([.][A-Za-z0-9_][A-Za-z0-9_-]{0,62}){0,8}$/

function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
}
