import { isIP } from 'node:net'
import type { App } from '../http/app'
import { sendJson } from '../http/answer'

const wildcards = ['0.0.0.0', '::']

function nameOf(host: string): string | undefined {
  const url = URL.parse(`http://${host}`)
  return url?.host.replace(/^\[|\]?(:\d+)?$/g, '')
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127\.\d+\.\d+\.\d+$/.test(name)
  )
}

/**
 * Whether a Host header names this mock. A page on the internet can let a name of its own lead to a loopback address (DNS
 * rebinding); it cannot do so with an address, or with a name without a dot, as containers have.
 */
export function isOwnHost(host: string, listening: string): boolean {
  const name = nameOf(host)
  if (name === undefined) return false
  if (isLoopback(name) || name === listening) return true
  if (!wildcards.includes(listening)) return false
  return isIP(name) !== 0 || !name.includes('.') || name === 'host.docker.internal'
}

/**
 * Refuses control calls that another web page makes through a tester's browser. Programs are not concerned: they send no
 * Origin, and name the mock by its address.
 */
export function refuseOtherPages(app: App, listening: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { host, origin } = request.headers
    if (host !== undefined && !isOwnHost(host, listening)) {
      void sendJson(reply, 403, {
        error: `The Host header names another place than this mock. Use http://${listening} or localhost.`,
      })
    } else if (origin !== undefined && request.method !== 'GET' && origin !== `http://${host ?? ''}`) {
      void sendJson(reply, 403, {
        error: 'Pages of other sites may not control this mock. Use its own page.',
      })
    } else {
      done()
    }
  })
}
