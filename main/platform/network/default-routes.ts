import { parseJson } from '../../json'
import { z } from 'zod'
import type { NetworkEvent } from './network-events'

/** The default routes outside of tunnels, one for each address family; missing if there is none. */
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
 * Reads the output of `ip -json` about default routes and tun devices. Returns undefined for invalid output, and while a
 * tunnel has replaced the default route.
 */
export function readDefaultRoutes(ipv4: string, ipv6: string, tunnels: string): DefaultRoutes | undefined {
  const four = parse(routes, ipv4)
  const six = parse(routes, ipv6)
  const devices = parse(links, tunnels)
  if (four === undefined || six === undefined || devices === undefined) return undefined
  const isTunnel = new Set(devices.map(({ ifname }) => ifname))
  if (four.some(({ dev }) => isTunnel.has(dev))) return undefined
  const [first, second] = [four, six.filter(({ dev }) => !isTunnel.has(dev))].map(preferred)
  return {
    ipv4: first,
    ipv6: second,
  }
}

/** Returns a function that takes the current default routes, and reports the event since the previous ones. */
export function trackDefaultRoutes(
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): (found: DefaultRoutes | undefined) => void {
  let known: DefaultRoutes | undefined
  return (found) => {
    if (signal.aborted || found === undefined) return
    const event = known === undefined ? undefined : eventBetween(known, found)
    known = found
    if (event !== undefined) listener(event)
  }
}

/** Returns the event for a tunnel. IPv6 counts only without IPv4. */
export function eventBetween(before: DefaultRoutes, after: DefaultRoutes): NetworkEvent | undefined {
  const was = before.ipv4 ?? before.ipv6
  const is = after.ipv4 ?? after.ipv6
  if (was === is) return undefined
  if (is === undefined) return 'down'
  return was === undefined ? 'up' : 'changed'
}

function preferred(found: z.infer<typeof routes>): string | undefined {
  const [best] = found
    // The route of an unplugged cable remains for a while.
    .filter(({ flags }) => !flags.includes('linkdown') && !flags.includes('dead'))
    .toSorted((one, other) => one.metric - other.metric)
  return best && [best.dev, best.gateway, best.prefsrc].join(' ')
}

/** Parses JSON; some versions of iproute2 write nothing for an empty list. */
function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | undefined {
  return schema.safeParse(text.trim() === '' ? [] : parseJson(text)).data
}
