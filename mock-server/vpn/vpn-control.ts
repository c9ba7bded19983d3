import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'
import { profileSchema, systemMessageSchema } from './profile'
import type { VpnService } from './vpn-service'

const tokensToRevoke = z.strictObject({ kind: z.enum(['access', 'all']) })
const certificatesToRevoke = z.strictObject({ commonName: z.string().min(1).optional() }).nullish()

/** The control calls of the VPN instance, below `base` (INTERFACES, "Mock server"). */
export function addVpnControl(app: App, base: string, service: VpnService): void {
  const done = (reply: FastifyReply) => sendJson(reply, 200, { ok: true })
  const described = (summary: string) => ({ tags: [tags.control], summary })

  app.post(
    `${base}/tokens/revoke`,
    { schema: { ...described('Makes access tokens, or all tokens, worthless'), body: tokensToRevoke } },
    ({ body }, reply) => {
      service.tokens.revoke(body.kind)
      return done(reply)
    },
  )
  app.post(
    `${base}/certificates/revoke`,
    { schema: { ...described('Revokes one certificate, or all'), body: certificatesToRevoke } },
    ({ body }, reply) => {
      const commonName = body?.commonName
      const revoked = service.authority.revoke(commonName)
      return commonName !== undefined && revoked.length === 0
        ? sendJson(reply, 404, {
            error: 'No certificate with this common name was issued, or it is revoked already.',
          })
        : sendJson(reply, 200, { revoked })
    },
  )
  app.put(
    `${base}/system-messages`,
    { schema: { ...described('Sets the system messages'), body: z.array(systemMessageSchema) } },
    ({ body }, reply) => {
      service.systemMessages = body
      return done(reply)
    },
  )
  app.put(
    `${base}/profiles`,
    { schema: { ...described('Sets the profiles'), body: z.array(profileSchema) } },
    ({ body }, reply) => {
      service.profiles = body
      return done(reply)
    },
  )
}
