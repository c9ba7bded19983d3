import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { App } from '../http/app'
import { sendPage } from '../http/answer'
import { formOf, queryOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import { authorizationErrorPage, authorizationPage, waitingPage } from './authorization-page'
import {
  authorizationQuery,
  readAuthorizationRequest,
  type AuthorizationRequest,
} from './authorization-request'
import type { AuthorizeOutcome } from './authorize-behaviour'
import { documented } from './documented'
import { oauthError } from './oauth-error'
import { portalFeatures } from './portal-version'
import type { VpnService } from './vpn-service'

export interface AuthorizeOptions {
  autoApprove: boolean
  /** The origin of the authorization endpoint, sent as `iss` (RFC 9207). */
  issuer(): string
}

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
  302: z.null().describe('To the redirect URI, with code or error, state and iss'),
  400: htmlPage('A page that says what is wrong with the request; nothing is redirected'),
  401: htmlPage('A page that says that the client or its redirect URI is not registered'),
}

/** A client that looks ahead what its user's browser will meet takes no pages. */
function isBrowser({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return accept.includes('text/html') || accept.includes('*/*')
}

/** The authorization endpoint (section 4, "OAuth endpoints"; refusals as in the field notes). */
export function addAuthorizationEndpoint(
  app: App,
  path: string,
  service: VpnService,
  options: AuthorizeOptions,
): void {
  /** Redirects with these parameters, after what every redirect has; an undefined one is left out. */
  const redirect = (
    reply: FastifyReply,
    request: AuthorizationRequest,
    outcome: Record<string, string | undefined>,
  ) => {
    const issuer = portalFeatures(service.portal).saysIssuer ? options.issuer() : undefined
    const all = Object.entries({ state: request.state, iss: issuer, ...outcome })
    const parameters = new URLSearchParams()
    for (const [name, value] of all) if (value !== undefined) parameters.set(name, value)
    return reply
      .code(302)
      .header('cache-control', 'no-store')
      .header('location', `${request.redirectUri}?${parameters.toString()}`)
      .send()
  }
  const approve = (
    reply: FastifyReply,
    request: AuthorizationRequest,
    changed: Record<string, string | undefined> = {},
  ) => redirect(reply, request, { code: service.tokens.issueCode(request, service.userId), ...changed })

  const answer = (reply: FastifyReply, asked: AuthorizationRequest, outcome: AuthorizeOutcome) => {
    switch (outcome) {
      case 'approve':
        return approve(reply, asked)
      case 'deny':
        return redirect(reply, asked, { error: 'access_denied' })
      case 'page':
        return sendPage(reply, 200, authorizationPage(asked, service.userId))
      case 'error-page': {
        const error = oauthError('invalid_request', 'this request was refused on purpose')
        return sendPage(reply, error.status, authorizationErrorPage(error))
      }
      case 'wrong-state':
        return approve(reply, asked, { state: 'not-the-state-that-was-sent' })
      case 'no-state':
        return approve(reply, asked, { state: undefined })
      case 'wrong-iss':
        return approve(reply, asked, { iss: 'https://another-issuer.example' })
      case 'no-answer':
        return sendPage(reply, 200, waitingPage())
      case 'server-error':
        return sendPage(
          reply,
          500,
          authorizationErrorPage({ error: 'server_error', description: 'the portal failed on purpose' }),
        )
      case 'invalid-scope-redirect':
        return redirect(reply, asked, { error: 'invalid_scope' })
    }
  }

  const withRequest =
    (respond: (request: FastifyRequest, reply: FastifyReply, asked: AuthorizationRequest) => FastifyReply) =>
    (request: FastifyRequest, reply: FastifyReply) => {
      const read = readAuthorizationRequest(queryOf(request), service.isRegistered)
      return read.ok
        ? respond(request, reply, read.request)
        : sendPage(reply, read.status, authorizationErrorPage(read))
    }

  app.get(
    path,
    {
      schema: {
        ...described('Asks the user for approval, in the browser'),
        response: {
          200: htmlPage('A page with Approve and Deny'),
          ...answers,
          500: htmlPage('Only when POST /_mock/authorize asked for it'),
        },
      },
    },
    withRequest((request, reply, asked) => {
      const decided = isBrowser(request) ? service.authorize.take() : service.authorize.next
      return answer(reply, asked, decided ?? (options.autoApprove ? 'approve' : 'page'))
    }),
  )
  app.post(
    path,
    {
      schema: {
        ...described('What the buttons of the page do'),
        consumes: ['application/x-www-form-urlencoded'],
        body: documented(z.object({ decision: z.enum(['approve', 'deny']) })),
        response: {
          ...answers,
          413: z
            .object({ error: z.string(), error_description: z.string() })
            .describe('The body is too large'),
          415: z
            .object({ error: z.string(), error_description: z.string() })
            .describe('The body has no type'),
        },
      },
    },
    withRequest((request, reply, asked) => {
      const { decision } = formOf(request)
      if (decision === 'approve' || decision === 'deny') return answer(reply, asked, decision)
      const refusal = oauthError('invalid_request', 'the decision must be "approve" or "deny"')
      return sendPage(reply, refusal.status, authorizationErrorPage(refusal))
    }),
  )
}
