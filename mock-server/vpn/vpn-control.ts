import { z } from 'zod'
import { badInput, described, errorSchema, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { addAuthorizeControl } from './authorize-control'
import { profileSchema, systemMessageSchema } from './profile'
import { addQueuedAnswersControl } from './queued-answers-control'
import { addTunnelControl } from './tunnel-control'
import { mostSessionSeconds } from './token-store'
import { refusedPlaces } from './tunnel/refusals'
import type { VpnService } from './vpn-service'

const most = 1000

const tokensToRevoke = z.strictObject({
  kind: z
    .enum(['access', 'all'])
    .describe('access: revokes access tokens only; all: also refresh tokens, so that a new login is needed'),
})
const certificatesToRevoke = z
  .strictObject({
    commonName: z.string().min(1).max(200).optional().describe('All certificates if omitted'),
    refusedIn: z
      .enum(refusedPlaces)
      .optional()
      .describe(
        'client-connect, the default: with AUTH_FAILED, as the hooks of portals do; handshake: in TLS, as with a revocation list. Servers for handshakes only have no hooks and always refuse in TLS',
      ),
  })
  .nullish()
const revokedNames = z
  .object({ revoked: z.array(z.string()) })
  .describe('The common names of the revoked certificates')
const signedIn = z.strictObject({ user: z.string().min(1).max(200) })
const certificates = z.object({
  certificates: z.array(z.object({ commonName: z.string(), user: z.string().nullable() })),
  clients: z
    .array(z.string())
    .describe('The common names of the clients that connected to the OpenVPN servers, oldest first'),
})
const sessionChange = z
  .strictObject({
    endsInSeconds: z.int().min(0).max(mostSessionSeconds).optional(),
    accessTokenSeconds: z
      .int()
      .min(1)
      .max(mostSessionSeconds)
      .optional()
      .describe('The lifetime in seconds of access tokens issued from now on'),
  })
  .refine(({ endsInSeconds, accessTokenSeconds }) => (endsInSeconds ?? accessTokenSeconds) !== undefined, {
    error: 'must have endsInSeconds or accessTokenSeconds',
  })
  .meta({ minProperties: 1 })

/** Adds the control calls of the VPN instance below `base` (docs/mock-server.md). */
export function addVpnControl(app: App, base: string, service: VpnService): void {
  addRevocations(app, base, service)
  addAuthorizeControl(app, base, service.authorize)
  addQueuedAnswersControl(app, base, service.queuedAnswers)
  addTunnelControl(app, base, service)
  app.put(
    `${base}/user`,
    {
      schema: {
        ...described(
          'Signs another user in at the portal',
          'The next authorization requests in the browser belong to this user, until a reset. Existing logins are kept.',
        ),
        body: signedIn,
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      service.userId = body.user
      return sendOk(reply)
    },
  )
  app.post(
    `${base}/session`,
    {
      schema: {
        ...described(
          'Changes when sessions end, or the lifetime of access tokens',
          'Existing sessions end this many seconds from now, and new ones this many seconds after the login. Applies until the next scenario.',
        ),
        body: sessionChange,
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      const { endsInSeconds, accessTokenSeconds } = body
      if (endsInSeconds !== undefined) service.tokens.endSessions(endsInSeconds, 'later ones too')
      if (accessTokenSeconds !== undefined) service.tokens.accessTokenSeconds = accessTokenSeconds
      return sendOk(reply)
    },
  )
  app.put(
    `${base}/system-messages`,
    {
      schema: {
        ...described('Sets the system messages'),
        body: z.array(systemMessageSchema).max(most),
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      service.systemMessages = body
      return sendOk(reply)
    },
  )
  app.put(
    `${base}/profiles`,
    {
      schema: {
        ...described('Sets the profiles'),
        body: z.array(profileSchema).max(most),
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      service.profiles = body
      return sendOk(reply)
    },
  )
}

function addRevocations(app: App, base: string, service: VpnService): void {
  app.get(
    `${base}/certificates`,
    {
      schema: {
        ...described('Lists the issued certificates and the clients that connected'),
        response: { 200: certificates },
      },
    },
    (_request, reply) =>
      sendJson(reply, 200, { certificates: service.certificates(), clients: service.clients }),
  )
  app.post(
    `${base}/tokens/revoke`,
    {
      schema: {
        ...described('Revokes access tokens, or all tokens'),
        body: tokensToRevoke,
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body }, reply) => {
      service.tokens.revoke(body.kind)
      return sendOk(reply)
    },
  )
  app.post(
    `${base}/certificates/revoke`,
    {
      schema: {
        ...described(
          'Revokes one certificate, or all certificates',
          'check_certificate says certificate_missing; OpenVPN refuses it in client-connect, unless said otherwise.',
        ),
        body: certificatesToRevoke,
        response: {
          200: revokedNames,
          ...badInput,
          404: errorSchema('No certificate with this common name was issued, or it is revoked already.'),
        },
      },
    },
    ({ body }, reply) => {
      const commonName = body?.commonName
      const revoked = service.revoke(commonName, body?.refusedIn ?? 'client-connect')
      return commonName !== undefined && revoked.length === 0
        ? sendJson(reply, 404, {
            error: 'No certificate with this common name was issued, or it is revoked already.',
          })
        : sendJson(reply, 200, { revoked })
    },
  )
}
