import { isDeepStrictEqual } from 'node:util'
import { isIP } from 'node:net'
import { uploadsCalls } from '../attachments/uploads-control'
import { contentCalls } from '../content/misprint-routes'
import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { takeJson } from '../http/json-body'
import { hostIn, isLoopback, type Origins } from '../http/origin'
import { addOpenapiRoutes } from '../openapi/openapi-routes'
import { paths } from '../paths'
import { organizationsCalls } from '../organizations/organizations-control'
import { networkCalls } from '../vpn/behind/network-control'
import { tunnelStatusCalls, vpnCalls } from '../vpn/vpn-control'
import { Refusal } from '../http/refusal'
import { addControlCalls, type ServerFacts } from './control-calls'
import { addAuthority, addEventStream, generalCalls } from './general-control'
import { addPage } from './page'
import { verifyCalls } from './verify'

export const controlErrorArea: ErrorArea = {
  holds: isBelow(paths.control),
  send: (_request, reply, status, error, details) => sendJson(reply, status, { error, ...details }),
}

/** Refuses a query or a body that a control call would ignore: a mistyped test would pass without testing anything. */
function refuseUnusedInput(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { schema } = request.routeOptions
    const isEmpty = (value: unknown) =>
      value === undefined || value === null || isDeepStrictEqual(value, {}) || value === ''
    if (schema?.hide !== true) {
      if (schema?.querystring === undefined && /\?./.test(request.url))
        throw new Refusal(400, 'This call takes no parameters in its address.')
      if (schema?.body === undefined && !isEmpty(request.body))
        throw new Refusal(400, 'This call takes no body.')
    }
    done()
  })
}

/** All control calls, from which the client's types are made as well. */
export const controlCalls = {
  ...generalCalls,
  ...verifyCalls,
  ...tunnelStatusCalls,
  ...networkCalls,
  ...vpnCalls,
  ...uploadsCalls,
  ...contentCalls,
  ...organizationsCalls,
}

export function addControl(app: App, server: ServerFacts): void {
  takeJson(app, true)
  refuseOtherPages(app, server.host, server.origins)
  refuseUnusedInput(app)
  addPage(app, server)
  addControlCalls(app, controlCalls, server)
  addEventStream(app)
  addAuthority(app, server.caFile)
  addOpenapiRoutes(app)
}

const wildcards = ['0.0.0.0', '::']

/**
 * Returns whether a host name is one of this mock. A page on the internet can make its own name resolve to a loopback
 * address (DNS rebinding), but it cannot use an IP address, a name without a dot as containers have, or a name that
 * belongs to nobody. `listening` is the address that the mock listens on, and `own` the name in its own origin.
 */
export function isOwnHost(name: string, listening: string, own: string): boolean {
  if (isLoopback(name) || isIP(name) !== 0 || name === listening || name === own) return true
  return wildcards.includes(listening) && (!name.includes('.') || name === 'host.docker.internal')
}

/** Refuses control calls that another page makes through a tester's browser. Programs send no Origin header. */
function refuseOtherPages(app: App, listening: string, origins: Origins): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { origin } = request.headers
    const called = origins.calledAt(request) ?? origins.own
    if (!isOwnHost(hostIn(called), listening, hostIn(origins.own))) {
      const use = `Use ${origins.own}, or an address without a name.`
      done(new Refusal(403, `The Host header names another place than this mock. ${use}`))
    } else if (origin !== undefined && request.method !== 'GET' && origin !== called) {
      done(new Refusal(403, 'Pages of other sites may not control this mock. Use its own page.'))
    } else {
      done()
    }
  })
}
