import { isIP } from 'node:net'
import { isLoopbackHost } from '../../../contract/safe-url'
import type { Proxy } from '../../platform/http/proxies'
import type { Endpoint } from './configuration'

/**
 * Returns what is contacted on the network, for the kill switch and the routes: the proxy, or the server. A proxy on this
 * computer contacts the server from here.
 */
export function contactedFor(server: Endpoint, via: Proxy | undefined): Endpoint {
  return via === undefined || isOwnProxy(via) ? server : { host: via.host, port: via.port }
}

/** Returns true for a proxy on this computer. */
export function isOwnProxy({ host }: Proxy): boolean {
  return isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host)
}
