/** Each half of the Internet, as a `route` directive names it. */
const halves = ['route 0.0.0.0 128.0.0.0', 'route 128.0.0.0 128.0.0.0']

/**
 * Whether these options, of a configuration or of a push reply, lead all IPv4 traffic through the tunnel. Each is a
 * directive with its arguments, joined by single spaces.
 */
export function takesAllTraffic(options: readonly string[]): boolean {
  // `net_gateway` leads past the tunnel.
  const isThere = (route: string) =>
    options.some((option) => `${option} `.startsWith(`${route} `) && !/ net_gateway( |$)/.test(option))
  return (
    options.some((option) => /^redirect-gateway( |$)/.test(option) && !option.includes('!ipv4')) ||
    isThere('route 0.0.0.0 0.0.0.0') ||
    halves.every(isThere)
  )
}
