import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addRoute, type App } from '../http/app'
import { sendPage } from '../http/answer'
import { formOf, type Parameters, queryOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { answerIn } from '../schemas'
import {
  authorizationErrorPage,
  authorizationPage,
  callbackPage,
  formPostPage,
  signInPage,
  waitingPage,
} from './authorization-page'
import { type AuthorizeOutcome, sendQueued, withChanges } from './queued-answers'
import { documented } from './documented'
import { invalidRequest, oauthError, type OAuthError, type OAuthFailure, oauthFailure } from './oauth-error'
import { type AuthorizationRequest, responseModes } from './token-store'
import type { VpnService } from './vpn-service'

/** Path of the page for logins that are started by hand, with the mock's own port in their redirect URI. */
const callbackPath = '/callback'

const userName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u)
  .optional()

const decisionForm = z.object({
  decision: z.enum(['approve', 'deny']),
  user: userName.describe('The user signed in at the portal if omitted'),
})

const htmlPage = (description: string) => answerIn(description, { 'text/html; charset=utf-8': z.string() })

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

type Changes = Record<string, string | undefined>

/** The outcomes that are redirects: with a code and these changes, or with an error. */
const redirects: Partial<Record<AuthorizeOutcome, Changes>> = {
  approve: {},
  'wrong-state': { state: 'not-the-state-that-was-sent' },
  'no-state': { state: undefined },
  'wrong-iss': { iss: 'https://another-issuer.example' },
  deny: { error: 'access_denied' },
  'invalid-scope-redirect': { error: 'invalid_scope' },
}

/** Recognizes a client that probes the endpoint before it opens the browser: it doesn't accept HTML. */
function isBrowser({ headers: { accept = '*/*' } }: FastifyRequest): boolean {
  return accept.includes('text/html') || accept.includes('*/*')
}

/** Redirects with these parameters after the common ones. Undefined parameters are omitted. */
function redirect(reply: FastifyReply, request: AuthorizationRequest, outcome: Changes): FastifyReply {
  const { vpn } = reply.request.world
  const queued = vpn.queuedAnswers.take('authorize', reply.request)
  if (queued !== undefined && 'status' in queued) return sendQueued(reply, queued)
  const issuer = vpn.issuerOf(reply.request.askedOrigin)
  const all = withChanges({ state: request.state, iss: issuer, ...outcome }, queued)
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(all)) {
    if (value !== undefined) parameters.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (request.responseMode === 'form_post') return sendPage(reply, 200, formPostPage(request, parameters))
  // The redirect URI may have parameters of its own (RFC 6749, 4.1.2).
  const { redirectUri } = request
  const location = `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters.toString()}`
  return reply.code(302).header('cache-control', 'no-store').header('location', location).send()
}

function refuse(reply: FastifyReply, refusal: OAuthFailure): FastifyReply {
  return sendPage(reply, refusal.status, authorizationErrorPage(refusal))
}

function answer(
  reply: FastifyReply,
  asked: AuthorizationRequest,
  outcome: AuthorizeOutcome,
  userId?: string,
): FastifyReply {
  const { vpn } = reply.request.world
  const changes = redirects[outcome]
  if (changes?.error !== undefined) return redirect(reply, asked, changes)
  if (changes !== undefined) {
    return redirect(reply, asked, { code: vpn.tokens.issueCode(asked, userId ?? vpn.userId), ...changes })
  }
  if (outcome === 'error-page') return refuse(reply, invalidRequest('a simulated refusal of this request'))
  if (outcome === 'server-error') {
    const description = 'a simulated failure of the portal'
    return refuse(reply, { status: 500, error: 'server_error', description })
  }
  const page = outcome === 'no-answer' ? waitingPage : authorizationPage(asked, vpn.knownUsers)
  return sendPage(reply, 200, page)
}

/** Adds the authorization endpoint (section 4, "OAuth endpoints"; refusals as in the field notes). */
export function addAuthorizationEndpoint(app: App, autoApprove: boolean): void {
  addRoute(app, 'GET', paths.authorize, {
    ...described('Asks the user for approval, in the browser'),
    response: {
      200: htmlPage('A page with Approve and Deny'),
      ...answers,
      500: htmlPage('Only after POST /_mock/authorize with server-error'),
    },
    handler: (request, reply) => {
      const { vpn } = request.world
      if (vpn.situation.signsInFirst === true) return sendPage(reply, 200, signInPage)
      const requested = readAuthorizationRequest(queryOf(request), vpn)
      if (!requested.ok) return refuse(reply, requested)
      const decided = isBrowser(request) ? vpn.authorize.take() : vpn.authorize.decided?.next
      return answer(reply, requested, decided ?? (autoApprove ? 'approve' : 'page'))
    },
  })
  addRoute(app, 'GET', callbackPath, {
    hide: true,
    handler: (request, reply) => sendPage(reply, 200, callbackPage(queryOf(request))),
  })
  addRoute(app, 'POST', paths.authorize, {
    ...described('Approves or denies the request'),
    consumes: ['application/x-www-form-urlencoded'],
    body: documented(decisionForm),
    response: {
      ...answers,
      413: oauthFailure('The body is too large'),
      415: oauthFailure('The request has no Content-Type'),
    },
    handler: (request, reply) => {
      const requested = readAuthorizationRequest(queryOf(request), request.world.vpn)
      if (!requested.ok) return refuse(reply, requested)
      const malformed = (description: string) => refuse(reply, invalidRequest(description))
      const { decision, user } = formOf(request)
      const chosen = userName.safeParse(user)
      if (!chosen.success) return malformed('the user must be a name of 1 to 200 characters')
      if (decision === 'approve' || decision === 'deny')
        return answer(reply, requested, decision, chosen.data)
      return malformed('the decision must be "approve" or "deny"')
    },
  })
}

const responseMode = z.enum(responseModes)
const state = z.string().regex(/^[\x20-\x7e]{1,1024}$/)
const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** The parameters of section 4, "OAuth endpoints". */
const authorizationQuery = z.object({
  client_id: z.string().min(1).describe('A registered client, such as org.eduvpn.app.linux'),
  redirect_uri: z
    .string()
    .min(1)
    .describe('http://127.0.0.1:PORT/callback or http://[::1]:PORT/callback, PORT from 1024 to 65535'),
  response_type: z.literal('code'),
  scope: z.literal('config'),
  state,
  code_challenge_method: z.literal('S256'),
  code_challenge: codeChallenge,
  response_mode: responseMode
    .optional()
    .describe(
      'For portals of version 3 from 3.12.0, form_post for desktop clients only; older portals ignore it',
    ),
})

const names = authorizationQuery.keyof().exclude(['response_mode']).options
const present = z.record(z.enum(names), z.string().min(1))

/** Checks an authorization request in the order of portals. Errors are never redirected (field notes). */
function readAuthorizationRequest(
  query: Parameters,
  clients: Pick<VpnService, 'isRegistered' | 'isRegisteredRedirect' | 'responseModesOf'>,
): OAuthError | AuthorizationRequest {
  const parsed = present.safeParse(Object.fromEntries(names.map((name) => [name, query[name]])))
  if (!parsed.success) {
    const wrong = String(parsed.error.issues[0]?.path[0])
    return invalidRequest(`missing, empty or repeated parameter "${wrong}"`)
  }
  const given = parsed.data
  if (!clients.isRegistered(given.client_id)) {
    return oauthError('invalid_client', 'client does not exist with this identifier')
  }
  if (!clients.isRegisteredRedirect(given.client_id, given.redirect_uri)) {
    return oauthError('invalid_client', 'client does not have this redirect_uri')
  }
  if (given.response_type !== 'code') {
    return oauthError('unsupported_response_type', 'the response_type must be "code"')
  }
  if (given.scope !== 'config') return oauthError('invalid_scope', 'the scope must be "config"')
  if (!state.safeParse(given.state).success) return invalidRequest('invalid "state"')
  if (given.code_challenge_method !== 'S256') {
    return invalidRequest('the code_challenge_method must be "S256"')
  }
  if (!codeChallenge.safeParse(given.code_challenge).success)
    return invalidRequest('invalid "code_challenge"')
  const modes = clients.responseModesOf(given.client_id)
  const mode = responseMode.safeParse((modes && query.response_mode) ?? 'query')
  if (!mode.success || modes?.includes(mode.data) === false) {
    return invalidRequest('the client does not support this "response_mode"')
  }
  return {
    ok: true,
    clientId: given.client_id,
    redirectUri: given.redirect_uri,
    state: given.state,
    codeChallenge: given.code_challenge,
    responseMode: mode.data,
  }
}
