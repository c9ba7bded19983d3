import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app'
import { sendPage } from '../http/answer'
import { formOf, queryOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import {
  authorizationErrorPage,
  authorizationPage,
  callbackPage,
  formPostPage,
  signInPage,
  waitingPage,
} from './authorization-page'
import {
  authorizationQuery,
  readAuthorizationRequest,
  type AuthorizationRequest,
} from './authorization-request'
import type { AuthorizeOutcome } from './authorize-behaviour'
import { documented } from './documented'
import { oauthError } from './oauth-error'
import { sendQueued, withChanges } from './queued-answers'

/** Path of the page for logins that are started by hand, with the mock's own port in their redirect URI. */
export const callbackPath = '/callback'

const userName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u)

const htmlPage = (description: string) => ({
  description,
  content: { 'text/html; charset=utf-8': { schema: z.string() } },
})

const described = (summary: string) => ({
  tags: [tags.vpn],
  summary,
  querystring: documented(authorizationQuery),
})

const answers = {
  302: z.null().describe('A redirect to the redirect URI, with code or error, state and iss'),
  400: htmlPage('A page with the error in the request; errors are never redirected'),
  401: htmlPage('A page with an error: the client or its redirect URI is not registered'),
}

/** Recognizes a client that probes the endpoint before it opens the browser: it doesn't accept HTML. */
function isBrowser({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return accept.includes('text/html') || accept.includes('*/*')
}

/** Returns a redirect URI with these parameters after its own (RFC 6749, 4.1.2). */
function withParameters(redirectUri: string, parameters: URLSearchParams): string {
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`
}

/** Adds the authorization endpoint (section 4, "OAuth endpoints"; refusals as in the field notes). */
export function addAuthorizationEndpoint(app: App, path: string, options: { autoApprove: boolean }): void {
  /** Redirects with these parameters after the common ones. Undefined parameters are omitted. */
  const redirect = (
    reply: FastifyReply,
    request: AuthorizationRequest,
    outcome: Record<string, string | undefined>,
  ) => {
    const { vpn } = reply.request.world
    const queued = vpn.queuedAnswers.take('authorize')
    if (queued !== undefined && 'status' in queued) return sendQueued(reply, queued)
    const issuer = vpn.issuerOf(reply.request.askedOrigin)
    const all = withChanges({ state: request.state, iss: issuer, ...outcome }, queued)
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(all)) {
      if (value !== undefined) parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    if (request.responseMode === 'form_post') return sendPage(reply, 200, formPostPage(request, parameters))
    return reply
      .code(302)
      .header('cache-control', 'no-store')
      .header('location', withParameters(request.redirectUri, parameters))
      .send()
  }
  const refuse = (
    reply: FastifyReply,
    refusal: Parameters<typeof authorizationErrorPage>[0],
    status: number,
  ) => sendPage(reply, status, authorizationErrorPage(refusal))
  const answer = (
    reply: FastifyReply,
    asked: AuthorizationRequest,
    outcome: AuthorizeOutcome,
    userId?: string,
  ) => {
    const { vpn } = reply.request.world
    const approve = (changed: Record<string, string | undefined> = {}) => {
      const code = vpn.tokens.issueCode(asked, userId ?? vpn.userId)
      return redirect(reply, asked, { code, ...changed })
    }
    switch (outcome) {
      case 'approve':
        return approve()
      case 'deny':
        return redirect(reply, asked, { error: 'access_denied' })
      case 'page':
        return sendPage(reply, 200, authorizationPage(asked, vpn.knownUsers))
      case 'error-page':
        return refuse(reply, oauthError('invalid_request', 'a simulated refusal of this request'), 400)
      case 'wrong-state':
        return approve({ state: 'not-the-state-that-was-sent' })
      case 'no-state':
        return approve({ state: undefined })
      case 'wrong-iss':
        return approve({ iss: 'https://another-issuer.example' })
      case 'no-answer':
        return sendPage(reply, 200, waitingPage())
      case 'server-error': {
        const description = 'a simulated failure of the portal'
        return refuse(reply, { error: 'server_error', description }, 500)
      }
      case 'invalid-scope-redirect':
        return redirect(reply, asked, { error: 'invalid_scope' })
    }
  }
  const withRequest =
    (respond: (request: FastifyRequest, reply: FastifyReply, asked: AuthorizationRequest) => FastifyReply) =>
    (request: FastifyRequest, reply: FastifyReply) => {
      const read = readAuthorizationRequest(queryOf(request), request.world.vpn)
      return read.ok ? respond(request, reply, read.request) : refuse(reply, read, read.status)
    }

  const whenSignedIn = (respond: Parameters<typeof withRequest>[0]) => {
    const checked = withRequest(respond)
    return (request: FastifyRequest, reply: FastifyReply) =>
      request.world.vpn.situation.signsInFirst === true
        ? sendPage(reply, 200, signInPage())
        : checked(request, reply)
  }

  app.get(
    path,
    {
      schema: {
        ...described('Asks the user for approval, in the browser'),
        response: {
          200: htmlPage('A page with Approve and Deny'),
          ...answers,
          500: htmlPage('Only after POST /_mock/authorize with server-error'),
        },
      },
    },
    whenSignedIn((request, reply, asked) => {
      const { authorize } = request.world.vpn
      const decided = isBrowser(request) ? authorize.take() : authorize.next
      return answer(reply, asked, decided ?? (options.autoApprove ? 'approve' : 'page'))
    }),
  )
  app.get(callbackPath, { schema: { hide: true } }, (request, reply) =>
    sendPage(reply, 200, callbackPage(queryOf(request))),
  )
  app.post(
    path,
    {
      schema: {
        ...described('Approves or denies the request'),
        consumes: ['application/x-www-form-urlencoded'],
        body: documented(
          z.object({
            decision: z.enum(['approve', 'deny']),
            user: userName.optional().describe('The user signed in at the portal if omitted'),
          }),
        ),
        response: {
          ...answers,
          413: z
            .object({ error: z.string(), error_description: z.string() })
            .describe('The body is too large'),
          415: z
            .object({ error: z.string(), error_description: z.string() })
            .describe('The request has no Content-Type'),
        },
      },
    },
    withRequest((request, reply, asked) => {
      const malformed = (description: string) =>
        refuse(reply, oauthError('invalid_request', description), 400)
      const { decision, user } = formOf(request)
      const chosen = userName.optional().safeParse(user)
      if (!chosen.success) return malformed('the user must be a name of 1 to 200 characters')
      if (decision === 'approve' || decision === 'deny') return answer(reply, asked, decision, chosen.data)
      return malformed('the decision must be "approve" or "deny"')
    }),
  )
}
