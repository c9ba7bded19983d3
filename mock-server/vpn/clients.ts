const vendors = ['org.causeway.app', 'org.eduvpn.app', 'org.letsconnect-vpn.app']
const platforms = ['windows', 'macos', 'linux']
const registered = new Set(vendors.flatMap((vendor) => platforms.map((platform) => `${vendor}.${platform}`)))

const loopbackRedirect = /^http:\/\/(?:127\.0\.0\.1|\[::1\]):([1-9]\d{3,4})\/callback$/

/** Whether this client identifier is one of the registered public clients. */
export function isRegisteredClient(clientId: string): boolean {
  return registered.has(clientId)
}

/** Whether this is the loopback redirect URI of the registered clients, with a port from 1024 to 65535. */
export function isRegisteredRedirect(redirectUri: string): boolean {
  const port = Number(loopbackRedirect.exec(redirectUri)?.[1])
  return port >= 1024 && port <= 65535
}
