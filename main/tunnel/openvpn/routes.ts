import { isIPv4, isIPv6 } from 'node:net'

/** Limits the routes of a state: a push reply of many messages may hold any number. */
const most = 256

/**
 * Returns the networks that these options, of a configuration and a push reply, route through the tunnel, as prefixes such
 * as `10.0.0.0/8`. Ignores invalid ones.
 */
export function routesThrough(options: readonly string[]): readonly string[] {
  return [...new Set(options.flatMap(networksOf))].slice(0, most)
}

function networksOf(option: string): readonly string[] {
  const [name = '', first = '', ...rest] = option.split(' ')
  // `net_gateway` routes past the tunnel.
  if (rest.some((argument) => argument.startsWith('net_gateway'))) return []
  switch (name) {
    case 'redirect-gateway': {
      const flags = [first, ...rest]
      return [...(flags.includes('!ipv4') ? [] : ['0.0.0.0/0']), ...(flags.includes('ipv6') ? ['::/0'] : [])]
    }
    case 'route': {
      const length = prefixLength(rest[0] ?? '255.255.255.255')
      return isIPv4(first) && length !== undefined ? [`${first}/${length}`] : []
    }
    case 'route-ipv6': {
      const [network = '', length = ''] = first.split('/')
      // A zone can have any length.
      const isNetwork = isIPv6(network) && !network.includes('%')
      return isNetwork && /^\d{1,3}$/.test(length) && Number(length) <= 128 ? [first] : []
    }
    default:
      return []
  }
}

/** Returns the length of the prefix that a netmask stands for; undefined for other masks. */
function prefixLength(mask: string): number | undefined {
  if (!isIPv4(mask)) return undefined
  const bits = mask
    .split('.')
    .map((byte) => Number(byte).toString(2).padStart(8, '0'))
    .join('')
  return /^1*0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : undefined
}
