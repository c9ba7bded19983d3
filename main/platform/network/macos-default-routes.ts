import type { DefaultRoutes } from './default-routes'

/**
 * Reads what `netstat -rn` of macOS says of the default routes. Those of one interface only (flag I) are for programs that
 * ask for it; of the others the first counts. Undefined where it cannot be told: on an answer that is none, and while a
 * tunnel has taken the default route itself.
 */
export function readMacosWaysOut(ipv4: string, ipv6: string): DefaultRoutes | undefined {
  const four = defaultRoutes(ipv4)
  const six = defaultRoutes(ipv6)
  if (four === undefined || six === undefined || four.some(isTunnel)) return undefined
  const [first, second] = [four[0], six.find((route) => !isTunnel(route))]
  return {
    ...(first === undefined ? {} : { ipv4: first.join(' ') }),
    ...(second === undefined ? {} : { ipv6: second.join(' ') }),
  }
}

/** Whether a line of `route -n monitor` tells of a change of routes, addresses or interfaces, and not of a question. */
export function isChange(line: string): boolean {
  return /^RTM_(?:ADD|DELETE|CHANGE|NEWADDR|DELADDR|IFINFO)\b/.test(line)
}

/** Interface and gateway of each. */
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
