import { z } from 'zod'
import { ControlRefusal, type ControlCalls } from '../control/control-calls'
import { authorizeOutcomes } from './authorize-behaviour'
import { profileSchema, systemMessageSchema } from './profile'
import { queuedAnswerSchema } from './queued-answers'
import { maxSessionSeconds } from './token-store'
import { refusedPlaces } from './tunnel/refusals'
import { addTunnelCalls } from './tunnel-control'
import { addPortalCalls } from './v3/portal-control'
import type { VpnService } from './vpn-service'

const maxListed = 1000
const seconds = z.int().max(maxSessionSeconds)

/** Adds the control calls of the VPN instance (docs/mock-server.md). */
export function addVpnCalls(calls: ControlCalls, service: VpnService): void {
  addCertificateCalls(calls, service)
  addLoginCalls(calls, service)
  addTunnelCalls(calls, service)
  calls.add('PUT /system-messages', {
    summary: 'Sets the system messages',
    body: z.array(systemMessageSchema).max(maxListed),
    run: ({ body }) => {
      service.systemMessages = body
    },
  })
  calls.add('PUT /profiles', {
    summary: 'Sets the profiles',
    body: z.array(profileSchema).max(maxListed),
    run: ({ body }) => {
      service.profiles = body
    },
  })
  addPortalCalls(calls, service)
}

const noSuchCertificate = 'No certificate with this common name was issued, or it is revoked already.'

function addCertificateCalls(calls: ControlCalls, service: VpnService): void {
  calls.add('GET /certificates', {
    summary: 'Lists the issued certificates and the clients that connected',
    answer: z.object({
      certificates: z.array(z.object({ commonName: z.string(), user: z.string().nullable() })),
      clients: z
        .array(z.string())
        .describe('The common names of the clients that connected to the OpenVPN servers, oldest first'),
    }),
    run: () => ({ certificates: service.certificates(), clients: service.clients }),
  })
  calls.add('POST /certificates/revoke', {
    summary: 'Revokes one certificate, or all certificates',
    description:
      'check_certificate reports certificate_missing, and OpenVPN refuses the certificate in client-connect unless refusedIn is set.',
    body: z
      .strictObject({
        commonName: z.string().min(1).max(200).optional().describe('All certificates if omitted'),
        refusedIn: z
          .enum(refusedPlaces)
          .optional()
          .describe(
            'client-connect, the default: with AUTH_FAILED, as the hooks of portals do; handshake: in TLS, as with a revocation list. Servers for handshakes only have no hooks and always refuse in TLS',
          ),
      })
      .nullish(),
    answer: z
      .object({ revoked: z.array(z.string()) })
      .describe('The common names of the revoked certificates'),
    refusals: { 404: noSuchCertificate },
    run: ({ body }) => {
      const revoked = service.revoke(body?.commonName, body?.refusedIn ?? 'client-connect')
      if (body?.commonName !== undefined && revoked.length === 0) {
        throw new ControlRefusal(404, noSuchCertificate)
      }
      return { revoked }
    },
  })
}

function addLoginCalls(calls: ControlCalls, service: VpnService): void {
  const { authorize, queuedAnswers, tokens } = service
  calls.add('POST /tokens', {
    summary: 'Logs in without a browser',
    body: z
      .strictObject({
        user: z.string().min(1).max(200).optional().describe('The user signed in at the portal if omitted'),
        clientId: z.string().min(1).max(200).optional().describe('org.causeway.app.linux if omitted'),
        expiresIn: seconds.min(1).optional().describe('The lifetime of the access token in seconds'),
      })
      .nullish(),
    answer: z
      .object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.int() })
      .describe('The tokens of a new login'),
    run: ({ body }) => {
      const { accessToken, refreshToken, expiresIn } = tokens.issueTokens({
        userId: body?.user ?? service.userId,
        clientId: body?.clientId ?? 'org.causeway.app.linux',
        expiresIn: body?.expiresIn,
      })
      return { accessToken, refreshToken, expiresIn }
    },
  })
  calls.add('POST /tokens/revoke', {
    summary: 'Revokes access tokens, or all tokens',
    body: z.strictObject({
      kind: z
        .enum(['access', 'all'])
        .describe(
          'access: revokes access tokens only; all: also refresh tokens, so that a new login is needed',
        ),
    }),
    run: ({ body }) => {
      tokens.revoke(body.kind)
    },
  })
  calls.add('GET /authorize', {
    summary: 'Shows the outcome of the next authorization requests',
    answer: z
      .object({ next: z.enum(authorizeOutcomes).nullable(), times: z.int().optional() })
      .describe(
        'The outcome of the next authorization requests; null if they behave as the mock was started',
      ),
    run: () => authorize.decided ?? { next: null },
  })
  calls.add('POST /authorize', {
    summary: 'Sets the outcome of the next authorization requests',
    description:
      'Overrides --auto-approve until the next scenario. Invalid requests still get their error page. A client that probes the endpoint (Accept without text/html) gets the same outcome and is not counted.',
    body: z.strictObject({
      next: z.enum(authorizeOutcomes).describe('no-answer shows a page that never redirects'),
      times: z
        .int()
        .min(1)
        .max(1e9)
        .optional()
        .describe('The number of requests; until withdrawn if omitted'),
    }),
    run: ({ body: { next, times } }) => {
      authorize.decide({ next, times })
    },
  })
  calls.add('DELETE /authorize', {
    summary: 'Restores the outcome that the mock started with',
    run: () => {
      authorize.revertScenario()
    },
  })
  calls.add('GET /oauth/answers', {
    summary: 'Lists the queued answers of the OAuth endpoints',
    answer: z.array(queuedAnswerSchema).describe('In the order of their use'),
    run: () => queuedAnswers.all,
  })
  calls.add('POST /oauth/answers', {
    summary: 'Queues the next answer of an OAuth endpoint',
    description:
      'Each is used once, in the order of the calls, until the next scenario. An invalid authorization request still gets its error page.',
    body: queuedAnswerSchema,
    refusals: { 409: 'There are too many already.' },
    run: ({ body }) => {
      if (queuedAnswers.add(body)) return
      throw new ControlRefusal(409, 'There are too many queued answers. Delete them first.')
    },
  })
  calls.add('DELETE /oauth/answers', {
    summary: 'Deletes the queued answers of the OAuth endpoints',
    run: () => {
      queuedAnswers.clear()
    },
  })
  calls.add('PUT /user', {
    summary: 'Signs another user in at the portal',
    description:
      'The next authorization requests in the browser belong to this user, until a reset. Existing logins are kept.',
    body: z.strictObject({ user: z.string().min(1).max(200) }),
    run: ({ body }) => {
      service.userId = body.user
    },
  })
  calls.add('POST /session', {
    summary: 'Changes when sessions end, or the lifetime of access tokens',
    description:
      'Existing sessions end this many seconds from now, and new ones this many seconds after the login. Applies until the next scenario.',
    body: z
      .strictObject({
        endsInSeconds: seconds.min(0).optional(),
        accessTokenSeconds: seconds
          .min(1)
          .optional()
          .describe('The lifetime in seconds of access tokens issued from now on'),
      })
      .refine(
        ({ endsInSeconds, accessTokenSeconds }) => (endsInSeconds ?? accessTokenSeconds) !== undefined,
        {
          error: 'must have endsInSeconds or accessTokenSeconds',
        },
      )
      .meta({ minProperties: 1 }),
    run: ({ body: { endsInSeconds, accessTokenSeconds } }) => {
      if (endsInSeconds !== undefined) tokens.endSessions(endsInSeconds, { later: true })
      if (accessTokenSeconds !== undefined) tokens.accessTokenSeconds = accessTokenSeconds
    },
  })
}
