import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { uploadsCalls } from '../attachments/uploads-control'
import { contentCalls } from '../content/misprints'
import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import type { Origins } from '../http/origin'
import { addOpenapiRoutes } from '../openapi/openapi-routes'
import { tags } from '../openapi/openapi'
import { organizationsCalls } from '../organizations/organizations-control'
import { networkCalls } from '../vpn/behind/network-control'
import { vpnCalls } from '../vpn/vpn-control'
import { wireguardPeerSchema } from '../vpn/wireguard/wireguard'
import { Refusal } from '../http/refusal'
import { addControlCalls, call, type ServerFacts } from './control-calls'
import { addEventStream, generalCalls } from './general-control'
import { addPage } from './page'
import { refuseOtherPages } from './same-origin'
import { verifyCalls } from './verify'

/** Error answers of the control calls: `{"error": "text"}`. */
export function controlErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, status, error, details) => sendJson(reply, status, { error, ...details }),
  }
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

const tunnelCalls = {
  'GET /tunnel': call({
    summary: 'Describes the OpenVPN servers and the WireGuard server with its peers',
    answer: z
      .looseObject({
        mode: z.enum(['none', 'handshake', 'full']),
        wireguard: z.looseObject({
          mode: z.enum(['none', 'full']),
          peers: z.array(wireguardPeerSchema).describe('The clients that the server knows'),
        }),
      })
      .describe('The servers.'),
    run: async ({ world: { vpn } }) => {
      const { tunnel, wireguard } = vpn
      return { ...tunnel.status, wireguard: { ...wireguard.status, peers: await wireguard.peers() } }
    },
  }),
}

/** All control calls, from which the client's types are made as well. */
export const controlCalls = {
  ...generalCalls,
  ...verifyCalls,
  ...tunnelCalls,
  ...networkCalls,
  ...vpnCalls,
  ...uploadsCalls,
  ...contentCalls,
  ...organizationsCalls,
}

export function addControl(app: App, base: string, server: ServerFacts, origins: Origins): void {
  refuseOtherPages(app, server.host, origins)
  refuseUnusedInput(app)
  addPage(app, base, server)
  addControlCalls(app, base, controlCalls, server)
  addEventStream(app, base, tags.control)
  addOpenapiRoutes(app, base)
}
