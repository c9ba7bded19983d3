import { z } from 'zod'
import type { NetworkEvent } from './network-events'

/** The default routes below any tunnel, the preferred one of each address family; absent where there is none. */
export interface DefaultRoutes {
  readonly ipv4?: string
  readonly ipv6?: string
}

const routes = z.array(
  z.looseObject({
    dev: z.string().optional(),
    gateway: z.string().optional(),
    prefsrc: z.string().optional(),
    metric: z.number().default(0),
    flags: z.array(z.string()).default([]),
  }),
)
const links = z.array(z.looseObject({ ifname: z.string().optional() }))

/**
 * Reads what `ip -json` says of the default routes and of the tun devices. Undefined where it cannot be told: on an
 * answer that is none, and while a tunnel has taken the default route itself.
 */
export function readWaysOut(ipv4: string, ipv6: string, tunnels: string): DefaultRoutes | undefined {
  const four = parse(routes, ipv4)
  const six = parse(routes, ipv6)
  const devices = parse(links, tunnels)
  if (four === undefined || six === undefined || devices === undefined) return undefined
  const isTunnel = new Set(devices.map(({ ifname }) => ifname))
  if (four.some(({ dev }) => isTunnel.has(dev))) return undefined
  const [first, second] = [four, six.filter(({ dev }) => !isTunnel.has(dev))].map(preferred)
  return {
    ...(first === undefined ? {} : { ipv4: first }),
    ...(second === undefined ? {} : { ipv6: second }),
  }
}

/** What a tunnel has to know of the step from one to the other. IPv6 counts only where there is no IPv4. */
export function eventBetween(before: DefaultRoutes, after: DefaultRoutes): NetworkEvent | undefined {
  const was = before.ipv4 ?? before.ipv6
  const is = after.ipv4 ?? after.ipv6
  if (was === is) return undefined
  if (is === undefined) return 'down'
  return was === undefined ? 'up' : 'changed'
}

function preferred(found: z.infer<typeof routes>): string | undefined {
  const [best] = found
    // A cable that was pulled out leaves its route there for a while.
    .filter(({ flags }) => !flags.includes('linkdown') && !flags.includes('dead'))
    .toSorted((one, other) => one.metric - other.metric)
  return best && [best.dev, best.gateway, best.prefsrc].join(' ')
}

/** Nothing at all is how some versions of iproute2 say that there are none. */
function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | undefined {
  if (text.trim() === '') return schema.safeParse([]).data
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
