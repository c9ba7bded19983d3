import { z } from 'zod'
import { parseJson } from '../../json'
import type { DefaultRoutes } from './default-routes'

const resumed = z.object({ resumed: z.literal(true) })
const report = z.object({
  routes: z.array(
    z.object({
      family: z.literal([4, 6]),
      device: z.string(),
      /** The adapter's type, which is not translated. */
      description: z.string(),
      gateway: z.string(),
      /** Sum of the metrics of route and interface, which Windows compares. */
      metric: z.number(),
      address: z.string().nullable(),
    }),
  ),
})

/** The adapters of OpenVPN and other VPNs, which are not part of the network below the tunnel. */
const tunnel = /tap-windows|wintun|openvpn|ovpn-dco|wireguard/i

/**
 * Reads a line of the helper's `network`: `resumed` after the computer was asleep, else the default routes. Returns undefined
 * for invalid lines, and while a tunnel has replaced the default route.
 */
export function readWindowsNetwork(line: string): DefaultRoutes | 'resumed' | undefined {
  const message = parseJson(line)
  if (resumed.safeParse(message).success) return 'resumed'
  const routes = report.safeParse(message).data?.routes
  if (routes === undefined) return undefined
  const isTunnel = ({ description }: { description: string }) => tunnel.test(description)
  if (routes.some((route) => route.family === 4 && isTunnel(route))) return undefined
  const [ipv4, ipv6] = ([4, 6] as const).map((family) => {
    const [best] = routes
      .filter((route) => route.family === family && !isTunnel(route))
      .toSorted((one, other) => one.metric - other.metric)
    return best && [best.device, best.gateway, best.address].filter(Boolean).join(' ')
  })
  return { ipv4, ipv6 }
}
