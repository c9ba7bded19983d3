import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendJson, sendPage } from '../http/answer'
import type { App } from '../http/app'
import { isBelow, type ErrorArea } from '../http/error-area'
import { tags } from '../openapi/openapi'
import type { TunnelStatus } from '../vpn/tunnel/tunnel'
import type { World } from '../world'
import { faultRuleSchema } from './faults'
import { summaryPage } from './summary-page'

const clockChange = z.union([
  z.strictObject({ advanceSeconds: z.number().min(-1e9).max(1e9) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
])

/** Errors of the control calls: `{"error": "text"}`. */
export function controlErrorArea(prefix: string): ErrorArea {
  return {
    holds: isBelow(prefix),
    send: (_request, reply, status, error) => sendJson(reply, status, { error }),
  }
}

/** The control calls (INTERFACES, "Mock server"), below `base`. */
export function addControl(
  app: App,
  base: string,
  world: World,
  about: { origin(): string; tunnel(): TunnelStatus },
): void {
  const done = (reply: FastifyReply) => sendJson(reply, 200, { ok: true })
  const described = (summary: string) => ({ tags: [tags.control], summary })
  const summary = () => ({
    origin: about.origin(),
    now: world.clock.now().toISOString(),
    tunnel: about.tunnel(),
    profiles: world.vpn.profiles.map(({ profile_id }) => profile_id),
    faults: world.faults.rules.length,
    requests: world.journal.entries.length,
  })

  app.get(base, { schema: described('What runs, as a page or as JSON') }, (request, reply) =>
    /\bapplication\/json\b/i.test(request.headers.accept ?? '')
      ? sendJson(reply, 200, summary())
      : sendPage(reply, 200, summaryPage(summary())),
  )
  app.post(`${base}/reset`, { schema: described('Back to the seed') }, (_request, reply) => {
    world.reset()
    return done(reply)
  })
  app.post(
    `${base}/clock`,
    { schema: { ...described('Moves the clock of the mock'), body: clockChange } },
    ({ body }, reply) => {
      if ('now' in body) world.clock.set(new Date(body.now))
      else world.clock.advance(body.advanceSeconds)
      return sendJson(reply, 200, { now: world.clock.now().toISOString() })
    },
  )

  app.get(`${base}/faults`, { schema: described('The faults that wait') }, (_request, reply) =>
    sendJson(reply, 200, world.faults.rules),
  )
  app.post(
    `${base}/faults`,
    { schema: { ...described('Makes the next matching answers go wrong'), body: faultRuleSchema } },
    ({ body }, reply) => {
      world.faults.add(body)
      return done(reply)
    },
  )
  app.delete(`${base}/faults`, { schema: described('Clears the faults') }, (_request, reply) => {
    world.faults.clear()
    return done(reply)
  })

  app.get(`${base}/requests`, { schema: described('The journal of requests') }, (_request, reply) =>
    sendJson(reply, 200, world.journal.entries),
  )
  app.delete(`${base}/requests`, { schema: described('Empties the journal') }, (_request, reply) => {
    world.journal.clear()
    return done(reply)
  })
  app.get(`${base}/tunnel`, { schema: described('What runs behind the profiles') }, (_request, reply) =>
    sendJson(reply, 200, about.tunnel()),
  )
  app.get(`${base}/openapi.json`, { schema: described('This description') }, (_request, reply) =>
    sendJson(reply, 200, app.swagger()),
  )
}
