import { readFile } from 'node:fs/promises'

/**
 * Returns a text that is the same each time this computer is on the same network: the device and address of the default
 * gateway outside of tunnels. Undefined without one, and on systems other than Linux.
 */
export async function currentNetwork(proc = '/proc/net'): Promise<string | undefined> {
  const read = (name: string) => readFile(`${proc}/${name}`, 'utf8').catch(() => '')
  return gateway4(await read('route')) ?? gateway6(await read('ipv6_route'))
}

/** The route flags of linux/route.h. */
const up = 1
const hasGateway = 2

function gateway4(table: string): string | undefined {
  return best(
    table.split('\n').flatMap((line) => {
      const [device = '', destination, gateway = '', flags = '', , , metric = '', mask] = line.split('\t')
      const isDefault = destination === '00000000' && mask === '00000000'
      return isDefault ? [{ device, gateway, flags: Number.parseInt(flags, 16), metric: Number(metric) }] : []
    }),
  )
}

function gateway6(table: string): string | undefined {
  return best(
    table.split('\n').flatMap((line) => {
      const [destination = '', length, , , gateway = '', metric = '', , , flags = '', device = ''] =
        line.split(/ +/)
      const isDefault = /^0+$/.test(destination) && length === '00'
      return isDefault
        ? [{ device, gateway, flags: Number.parseInt(flags, 16), metric: Number.parseInt(metric, 16) }]
        : []
    }),
  )
}

function best(
  routes: readonly {
    readonly device: string
    readonly gateway: string
    readonly flags: number
    readonly metric: number
  }[],
): string | undefined {
  const [first] = routes
    .filter(({ flags }) => (flags & (up | hasGateway)) === (up | hasGateway))
    .toSorted((one, other) => one.metric - other.metric)
  return first && `${first.device} ${first.gateway}`
}
