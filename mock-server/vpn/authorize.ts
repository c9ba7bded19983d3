import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import { sendPage } from '../http/answer'
import { formOf, queryOf } from '../http/parameters'
import { authorizationErrorPage, authorizationPage } from './authorization-page'
import { readAuthorizationRequest, type AuthorizationRequest } from './authorization-request'
import { oauthError } from './oauth-error'
import type { TokenStore } from './token-store'

export interface AuthorizeOptions {
  tokens: TokenStore
  userId: string
  autoApprove: boolean
  /** The origin of the authorization endpoint, sent as `iss` (RFC 9207). */
  issuer(): string
}

/** The authorization endpoint (section 4, "OAuth endpoints"; refusals as in the field notes). */
export function addAuthorizationEndpoint(app: App, path: string, options: AuthorizeOptions): void {
  const redirect = (reply: FastifyReply, request: AuthorizationRequest, outcome: Record<string, string>) => {
    const parameters = new URLSearchParams({ ...outcome, state: request.state, iss: options.issuer() })
    return reply
      .code(302)
      .header('cache-control', 'no-store')
      .header('location', `${request.redirectUri}?${parameters.toString()}`)
      .send()
  }
  const approve = (reply: FastifyReply, request: AuthorizationRequest) =>
    redirect(reply, request, { code: options.tokens.issueCode(request, options.userId) })

  const withRequest =
    (answer: (request: FastifyRequest, reply: FastifyReply, asked: AuthorizationRequest) => FastifyReply) =>
    (request: FastifyRequest, reply: FastifyReply) => {
      const read = readAuthorizationRequest(queryOf(request))
      return read.ok
        ? answer(request, reply, read.request)
        : sendPage(reply, read.status, authorizationErrorPage(read))
    }

  app.get(
    path,
    withRequest((_request, reply, asked) =>
      options.autoApprove
        ? approve(reply, asked)
        : sendPage(reply, 200, authorizationPage(asked, options.userId)),
    ),
  )
  app.post(
    path,
    withRequest((request, reply, asked) => {
      const { decision } = formOf(request)
      if (decision === 'approve') return approve(reply, asked)
      if (decision === 'deny') return redirect(reply, asked, { error: 'access_denied' })
      const refusal = oauthError('invalid_request', 'the decision must be "approve" or "deny"')
      return sendPage(reply, refusal.status, authorizationErrorPage(refusal))
    }),
  )
}
