import { z } from 'zod'
import type { DefaultRoutes } from './default-routes'

const report = z.object({
  routes: z.array(
    z.looseObject({
      family: z.literal([4, 6]),
      device: z.string(),
      /** The adapter's type, which is not translated. */
      description: z.string().nullable(),
      gateway: z.string(),
      /** Sum of the metrics of route and interface, which Windows compares. */
      metric: z.number(),
      address: z.string().nullish(),
    }),
  ),
})

/** The adapters of OpenVPN and other VPNs, which are not part of the network below the tunnel. */
const tunnel = /tap-windows|wintun|openvpn|ovpn-dco|wireguard/i

/**
 * Reads a line of the script in windows-network-events.ts. Returns undefined for invalid lines, and while a tunnel has
 * replaced the default route.
 */
export function readWindowsDefaultRoutes(line: string): DefaultRoutes | undefined {
  const routes = parse(line)
  if (routes === undefined) return undefined
  const isTunnel = ({ description }: { description: string | null }) => tunnel.test(description ?? '')
  if (routes.some((route) => route.family === 4 && isTunnel(route))) return undefined
  const [ipv4, ipv6] = ([4, 6] as const).map((family) => {
    const [best] = routes
      .filter((route) => route.family === family && !isTunnel(route))
      .toSorted((one, other) => one.metric - other.metric)
    return best && [best.device, best.gateway, best.address].filter(Boolean).join(' ')
  })
  return { ...(ipv4 !== undefined && { ipv4 }), ...(ipv6 !== undefined && { ipv6 }) }
}

function parse(line: string): z.infer<typeof report>['routes'] | undefined {
  try {
    return report.safeParse(JSON.parse(line.replace(/^\uFEFF/, ''))).data?.routes
  } catch {
    return undefined
  }
}
