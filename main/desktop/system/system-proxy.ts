import { isLoopbackHost } from '../../../contract/safe-url'
import {
  hasProxyVariables,
  type ProxyFor,
  proxyFromSystem,
  proxyFromVariables,
} from '../../platform/http/proxies'

/**
 * Returns the proxy of the window's requests: that of the variables, which alone have a user and a password, else that of the
 * system's settings. `resolve` asks these, including a PAC script, for the way to an address, in its words.
 */
export function systemProxy(
  env: Readonly<Record<string, string | undefined>>,
  resolve: (address: string) => Promise<string>,
): ProxyFor {
  return async (url) => {
    if (isLoopbackHost(url.hostname)) return undefined
    if (hasProxyVariables(env)) return proxyFromVariables(env, url)
    // Without the path, which is nobody's business.
    return proxyFromSystem(await resolve(`${url.origin}/`), url)
  }
}
