/** Options that decide which traffic goes through a tunnel. */
const aboutRoutes = /^(redirect-gateway|route|route-ipv6|ifconfig-ipv6|block-ipv6)( |$)/

/** Alternatives of routes that cover a whole protocol, as `route` and `route-ipv6` name them. */
const wholeIpv4 = [
  ['route 0.0.0.0 0.0.0.0'],
  ['route 0.0.0.0 128.0.0.0', 'route 128.0.0.0 128.0.0.0'],
] as const
/** 2000::/3 holds all public addresses. */
const wholeIpv6 = [
  ['route-ipv6 ::/0'],
  ['route-ipv6 2000::/3'],
  ['route-ipv6 2000::/4', 'route-ipv6 3000::/4'],
  ['route-ipv6 ::/1', 'route-ipv6 8000::/1'],
] as const

/** Returns the lines of a configuration that decide which traffic goes through the tunnel. */
export function routeLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => aboutRoutes.test(line))
}

/**
 * Returns which traffic these options, of a configuration and a push reply, route through the tunnel. IPv6 counts where
 * the tunnel has an IPv6 address. Each option is a directive with its arguments, joined by single spaces.
 */
export function trafficThrough(options: readonly string[]): {
  readonly allTraffic: boolean
  /** All IPv4 traffic, but not all IPv6 traffic. */
  readonly allIpv4?: true
} {
  const redirects = options.filter((option) => /^redirect-gateway( |$)/.test(option))
  const ipv4 = redirects.some((option) => !option.includes('!ipv4')) || covers(options, wholeIpv4)
  const ipv6 =
    redirects.some((option) => / ipv6( |$)/.test(option)) ||
    covers(options, wholeIpv6) ||
    options.includes('block-ipv6') ||
    !options.some((option) => option.startsWith('ifconfig-ipv6 '))
  return ipv4 && !ipv6 ? { allTraffic: false, allIpv4: true } : { allTraffic: ipv4 }
}

function covers(options: readonly string[], alternatives: readonly (readonly string[])[]): boolean {
  // `net_gateway` routes past the tunnel.
  const isThere = (route: string) =>
    options.some(
      (option) => `${option} `.startsWith(`${route} `) && !/ net_gateway(_ipv6)?( |$)/.test(option),
    )
  return alternatives.some((routes) => routes.every(isThere))
}
