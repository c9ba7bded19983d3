import type { DefaultRoutes } from './default-routes'

/**
 * Reads the default routes from the output of `netstat -rn` on macOS. Routes of a single interface (flag I) serve only
 * programs that ask for them; of the others the first counts. Returns undefined for invalid output, and while a tunnel has
 * replaced the default route.
 */
export function readMacosDefaultRoutes(ipv4: string, ipv6: string): DefaultRoutes | undefined {
  const four = defaultRoutes(ipv4)
  const six = defaultRoutes(ipv6)
  if (four === undefined || six === undefined || four.some(isTunnel)) return undefined
  const [first, second] = [four[0], six.find((route) => !isTunnel(route))]
  return { ipv4: first?.join(' '), ipv6: second?.join(' ') }
}

/** Returns true for a line of `route -n monitor` that reports a change of routes, addresses or interfaces. */
export function isChange(line: string): boolean {
  return /^RTM_(?:ADD|DELETE|CHANGE|NEWADDR|DELADDR|IFINFO)\b/.test(line)
}

/** Returns the interface and gateway of each default route. */
function defaultRoutes(text: string): [string, string][] | undefined {
  const lines = text.split('\n')
  if (!lines.some((line) => line.startsWith('Routing tables'))) return undefined
  return lines.flatMap((line) => {
    const [destination, gateway, flags = '', device] = line.trim().split(/\s+/)
    const counts = destination === 'default' && !flags.includes('I') && gateway !== undefined
    return counts && device !== undefined ? [[device, gateway]] : []
  })
}

function isTunnel([device]: readonly [string, string]): boolean {
  return /^(?:utun|tun|ppp|ipsec)\d/.test(device)
}
