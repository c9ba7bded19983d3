import { isIP } from 'node:net'
import type { App } from '../http/app'
import { sendJson } from '../http/answer'
import type { Origins } from '../http/origin'

const wildcards = ['0.0.0.0', '::']

/** Returns the host name in an origin, without the brackets of an IPv6 address. */
function nameIn(origin: string): string {
  return new URL(origin).hostname.replace(/^\[|\]$/g, '')
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
  )
}

/**
 * Returns whether a host name is one of this mock. A page on the internet can make its own name resolve to a loopback
 * address (DNS rebinding), but it cannot use an IP address, a name without a dot as containers have, or a name that
 * belongs to nobody. `listening` is the address that the mock listens on, and `own` the name in its own origin.
 */
export function isOwnHost(name: string, listening: string, own: string): boolean {
  if (isLoopback(name) || isIP(name) !== 0 || name === listening || name === own) return true
  return wildcards.includes(listening) && (!name.includes('.') || name === 'host.docker.internal')
}

/**
 * Refuses control calls that another web page makes through a tester's browser. Programs are unaffected: they send no
 * Origin header and use the mock's address.
 */
export function refuseOtherPages(app: App, listening: string, origins: Origins): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    const called = origins.calledAt(request) ?? origins.own
    if (!isOwnHost(nameIn(called), listening, nameIn(origins.own))) {
      void sendJson(reply, 403, {
        error: `The Host header names another place than this mock. Use ${origins.own}, or an address without a name.`,
      })
    } else if (origin !== undefined && request.method !== 'GET' && origin !== called) {
      void sendJson(reply, 403, {
        error: 'Pages of other sites may not control this mock. Use its own page.',
      })
    } else {
      done()
    }
  })
}
