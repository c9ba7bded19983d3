import { isLoopbackHost } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import {
  hasProxyVariables,
  type ProxyFor,
  proxyFromSystem,
  proxyFromVariables,
} from '../../platform/http/proxies'
import { after, type Timer } from '../../timer'

/**
 * Returns the proxy of the window's requests: that of the variables, which alone have a user and a password, else that of the
 * system's settings. `resolve` asks these, including a PAC script, for the way to an address, in its words. A script that never
 * ends would hold every request: the proxy throws `http/proxy-timed-out` then, and nothing goes past a proxy that may be meant.
 */
export function systemProxy(
  env: Readonly<Record<string, string | undefined>>,
  resolve: (address: string) => Promise<string>,
  timer: Timer = after,
): ProxyFor {
  return async (url) => {
    if (isLoopbackHost(url.hostname)) return undefined
    if (hasProxyVariables(env)) return proxyFromVariables(env, url)
    // Without the path, which is nobody's business.
    return proxyFromSystem(await inTime(resolve(`${url.origin}/`), url, timer), url)
  }
}

const limitMs = 5000

function inTime(answer: Promise<string>, { host }: URL, timer: Timer): Promise<string> {
  return new Promise((resolve, reject) => {
    const stop = timer(limitMs, () => {
      reject(new CausewayError('http/proxy-timed-out', { details: { host } }))
    })
    answer.then(resolve, reject).finally(stop)
  })
}
