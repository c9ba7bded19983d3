import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import type { Origins } from '../http/origin'
import { addOpenapiRoutes } from '../openapi/openapi-routes'
import { tags } from '../openapi/openapi'
import type { MockState } from '../mock-state'
import { wireguardPeerSchema } from '../vpn/wireguard/wireguard'
import { ControlCalls, ControlRefusal } from './control-calls'
import { addEventStream, addGeneralCalls } from './general-control'
import { addPage } from './page'
import { refuseOtherPages } from './same-origin'
import type { About } from './summary'

/** Error answers of the control calls: `{"error": "text"}`. */
export function controlErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, status, error) => sendJson(reply, status, { error }),
  }
}

/** Refuses a query or a body that a control call would ignore: a mistyped test would pass without testing anything. */
function refuseUnusedInput(app: App): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const { schema } = request.routeOptions
    const isEmpty = (value: unknown) =>
      value === undefined || value === null || isDeepStrictEqual(value, {}) || value === ''
    if (schema?.hide !== true) {
      if (schema?.querystring === undefined && request.url.includes('?'))
        throw new ControlRefusal(400, 'This call takes no parameters in its address.')
      if (schema?.body === undefined && !isEmpty(request.body))
        throw new ControlRefusal(400, 'This call takes no body.')
    }
    done()
  })
}

/** Adds the control calls for the whole mock below `base`. Returns the object that adds those of its parts. */
export function addControl(
  app: App,
  base: string,
  mockState: MockState,
  about: About,
  origins: Origins,
): ControlCalls {
  const calls = new ControlCalls(app, base)
  refuseOtherPages(app, about.host, origins)
  refuseUnusedInput(app)
  addPage(app, base, mockState, about)
  addGeneralCalls(calls, mockState)
  addEventStream(app, base, mockState, tags.control)
  calls.add('GET /tunnel', {
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
    run: async () => {
      const { wireguard } = mockState.vpn
      return { ...about.tunnel(), wireguard: { ...wireguard.status, peers: await wireguard.peers() } }
    },
  })
  addOpenapiRoutes(app, base, mockState)
  return calls
}
