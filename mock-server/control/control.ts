import { z } from 'zod'
import { sendJson } from '../http/answer'
import { type App, type ErrorArea, isBelow } from '../http/app'
import { addOpenapiRoutes } from '../openapi/openapi-routes'
import type { World } from '../world'
import { addClockControl } from './clock-control'
import { addFaultsControl } from './faults-control'
import { addJournalControl } from './journal-control'
import { refuseOtherPages } from './own-browser-only'
import { addPage } from './page/add-page'
import { described, okSchema, sendOk } from './replies'
import { addScenariosControl } from './scenarios-control'
import type { About } from './summary'

/** Errors of the control calls: `{"error": "text"}`. */
export function controlErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, status, error) => sendJson(reply, status, { error }),
  }
}

/** The control calls that concern the whole mock (INTERFACES, "Mock server"), below `base`. */
export function addControl(app: App, base: string, world: World, about: About): void {
  refuseOtherPages(app, about.host)
  // Open streams would keep the server from closing.
  app.addHook('preClose', (done) => {
    world.events.close()
    done()
  })
  addPage(app, base, world, about)
  app.post(
    `${base}/reset`,
    { schema: { ...described('Resets everything to the seed data'), response: { 200: okSchema } } },
    (_request, reply) => {
      world.reset()
      return sendOk(reply)
    },
  )
  addClockControl(app, base, world)
  addFaultsControl(app, base, world.faults)
  addScenariosControl(app, base, world)
  addJournalControl(app, base, world)
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
  addOpenapiRoutes(app, base, () => about.origin())
}
