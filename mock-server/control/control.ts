import { z } from 'zod'
import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import type { Origins } from '../http/origin'
import { addOpenapiRoutes } from '../openapi/openapi-routes'
import type { MockState } from '../mock-state'
import { addClockControl } from './clock-control'
import { addFaultsControl } from './faults-control'
import { addJournalControl } from './journal-control'
import { refuseOtherPages } from './same-origin'
import { addPage } from './page/add-page'
import { described, okSchema, sendOk } from './replies'
import { addScenariosControl } from './scenarios-control'
import type { About } from './summary'

/** Error answers of the control calls: `{"error": "text"}`. */
export function controlErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, status, error) => sendJson(reply, status, { error }),
  }
}

/** Adds the control calls for the whole mock (INTERFACES, "Mock server") below `base`. */
export function addControl(
  app: App,
  base: string,
  mockState: MockState,
  about: About,
  origins: Origins,
): void {
  refuseOtherPages(app, about.host, origins)
  // Open event streams would keep the server from closing.
  app.addHook('preClose', (done) => {
    mockState.events.close()
    done()
  })
  addPage(app, base, mockState, about)
  app.post(
    `${base}/reset`,
    { schema: { ...described('Resets everything to the seed data'), response: { 200: okSchema } } },
    (_request, reply) => {
      mockState.reset()
      return sendOk(reply)
    },
  )
  addClockControl(app, base, mockState)
  addFaultsControl(app, base, mockState.faults)
  addScenariosControl(app, base, mockState)
  addJournalControl(app, base, mockState)
  app.get(
    `${base}/tunnel`,
    {
      schema: {
        ...described('Describes the OpenVPN servers'),
        response: {
          200: z.looseObject({ mode: z.enum(['none', 'handshake', 'full']) }).describe('The servers.'),
        },
      },
    },
    (_request, reply) => sendJson(reply, 200, about.tunnel()),
  )
  addOpenapiRoutes(app, base, mockState)
}
