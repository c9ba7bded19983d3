/**
 * Returns true for a host that only this computer can answer for: 127.0.0.0/8, `[::1]` and `localhost`. Takes
 * `URL.hostname`, which normalizes other spellings (`127.1`, `0x7f000001`).
 */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
}

/** Returns true for https, and for http to a loopback host. */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname))
}
