import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson, sendPage } from '../http/answer'
import { profileSchema, systemMessageSchema } from '../vpn/profile'
import type { TunnelStatus } from '../vpn/tunnel/tunnel'
import type { World } from '../world'
import { faultRuleSchema } from './faults'
import { summaryPage } from './summary-page'

const clockChange = z.union([
  z.strictObject({ advanceSeconds: z.number().min(-1e9).max(1e9) }),
  z.strictObject({ now: z.iso.datetime({ offset: true }) }),
])
const tokensToRevoke = z.strictObject({ kind: z.enum(['access', 'all']) })
const certificatesToRevoke = z.strictObject({ commonName: z.string().min(1).optional() })

function refuse(reply: FastifyReply, status: number, error: string): FastifyReply {
  return sendJson(reply, status, { error })
}

function textOf(request: FastifyRequest): string {
  return typeof request.body === 'string' ? request.body.trim() : ''
}

/** Parses the body with a schema and does the rest, or answers 400 saying what is wrong with it. */
function withBody<T>(schema: z.ZodType<T>, answer: (body: T, reply: FastifyReply) => FastifyReply) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    let json: unknown
    try {
      json = JSON.parse(textOf(request) || '{}')
    } catch {
      return refuse(reply, 400, 'The body is not JSON.')
    }
    const parsed = schema.safeParse(json)
    return parsed.success ? answer(parsed.data, reply) : refuse(reply, 400, z.prettifyError(parsed.error))
  }
}

/** The control calls (INTERFACES, "Mock server"), below `base`. */
export function addControl(
  app: FastifyInstance,
  base: string,
  world: World,
  about: { origin(): string; tunnel(): TunnelStatus },
): void {
  const done = (reply: FastifyReply) => sendJson(reply, 200, { ok: true })
  const summary = () => ({
    origin: about.origin(),
    now: world.clock.now().toISOString(),
    tunnel: about.tunnel(),
    profiles: world.profiles.map(({ profile_id }) => profile_id),
    faults: world.faults.rules.length,
    requests: world.journal.entries.length,
  })

  app.get(base, (request, reply) =>
    /\bapplication\/json\b/i.test(request.headers.accept ?? '')
      ? sendJson(reply, 200, summary())
      : sendPage(reply, 200, summaryPage(summary())),
  )
  app.post(`${base}/reset`, (_request, reply) => {
    world.reset()
    return done(reply)
  })
  app.post(
    `${base}/clock`,
    withBody(clockChange, (change, reply) => {
      if ('now' in change) world.clock.set(new Date(change.now))
      else world.clock.advance(change.advanceSeconds)
      return sendJson(reply, 200, { now: world.clock.now().toISOString() })
    }),
  )

  app.get(`${base}/faults`, (_request, reply) => sendJson(reply, 200, world.faults.rules))
  app.post(
    `${base}/faults`,
    withBody(faultRuleSchema, (rule, reply) => {
      world.faults.add(rule)
      return done(reply)
    }),
  )
  app.delete(`${base}/faults`, (_request, reply) => {
    world.faults.clear()
    return done(reply)
  })

  app.post(
    `${base}/tokens/revoke`,
    withBody(tokensToRevoke, ({ kind }, reply) => {
      world.tokens.revoke(kind)
      return done(reply)
    }),
  )
  app.post(
    `${base}/certificates/revoke`,
    withBody(certificatesToRevoke, ({ commonName }, reply) => {
      const revoked = world.authority.revoke(commonName)
      return commonName !== undefined && revoked.length === 0
        ? refuse(reply, 404, 'No certificate with this common name was issued, or it is revoked already.')
        : sendJson(reply, 200, { revoked })
    }),
  )

  app.put(
    `${base}/system-messages`,
    withBody(z.array(systemMessageSchema), (messages, reply) => {
      world.systemMessages = messages
      return done(reply)
    }),
  )
  app.put(
    `${base}/profiles`,
    withBody(z.array(profileSchema), (profiles, reply) => {
      world.profiles = profiles
      return done(reply)
    }),
  )

  app.get(`${base}/requests`, (_request, reply) => sendJson(reply, 200, world.journal.entries))
  app.delete(`${base}/requests`, (_request, reply) => {
    world.journal.clear()
    return done(reply)
  })
  app.get(`${base}/tunnel`, (_request, reply) => sendJson(reply, 200, about.tunnel()))
}
