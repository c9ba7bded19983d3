import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import { addRoute, type App } from '../http/app'
import { formOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { documented } from './documented'
import { invalidRequest, oauthError, oauthFailure, sendOAuthError } from './oauth-error'
import type { VpnService } from './vpn-service'

const own = { jwks: '/oauth/jwks', revoke: '/oauth/revoke', introspect: '/oauth/introspect' }
const places = ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']

const metadata = z.looseObject({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
})
const tokenForm = z.object({
  token: z.string().min(1),
  token_type_hint: z.string().optional(),
  client_id: z.string().optional().describe('Needed unless the client authenticates with Basic'),
})
const introspection = z.object({
  active: z.boolean(),
  scope: z.string().optional(),
  client_id: z.string().optional(),
  username: z.string().optional(),
  sub: z.string().optional(),
  token_type: z.string().optional().describe('Only of access tokens'),
  exp: z.int().optional(),
  iss: z.string().optional(),
})

function metadataOf(vpn: VpnService, origin: string): object {
  return {
    issuer: vpn.tokenIssuer(origin),
    authorization_endpoint: `${origin}${paths.authorize}`,
    token_endpoint: `${origin}${paths.token}`,
    jwks_uri: `${origin}${own.jwks}`,
    revocation_endpoint: `${origin}${own.revoke}`,
    introspection_endpoint: `${origin}${own.introspect}`,
    scopes_supported: ['config'],
    response_types_supported: ['code'],
    response_modes_supported: vpn.responseModesOf('') ?? ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    introspection_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: vpn.issuerOf(origin) !== undefined,
    // Required by OpenID Connect, though the portal issues no ID tokens.
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

function clientOf(request: FastifyRequest): string | undefined {
  const [, basic] = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const named =
    basic === undefined ? formOf(request).client_id : Buffer.from(basic, 'base64').toString().split(':')[0]
  return typeof named === 'string' ? named : undefined
}

/** Adds what OAuth libraries expect and portals lack: metadata (RFC 8414, OIDC), keys, RFC 7009 and RFC 7662. */
export function addOAuthMetadata(app: App): void {
  for (const place of places) {
    addRoute(app, 'GET', place, {
      tags: [tags.vpn],
      summary: `The metadata of the authorization server, at ${place.slice('/.well-known/'.length)}`,
      response: { 200: metadata.describe('With --oauth-metadata only') },
      handler: ({ world: { vpn }, askedOrigin }, reply) => sendJson(reply, 200, metadataOf(vpn, askedOrigin)),
    })
  }
  const jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) })
  addRoute(app, 'GET', own.jwks, {
    tags: [tags.vpn],
    summary: 'The keys of access tokens',
    response: { 200: jwks.describe('The keys') },
    handler: ({ world: { vpn } }, reply) => sendJson(reply, 200, vpn.tokens.jwts?.jwks ?? { keys: [] }),
  })

  const addCall = (
    path: string,
    summary: string,
    answer: z.ZodType,
    run: (request: FastifyRequest, reply: FastifyReply, token: string, client: string) => FastifyReply,
  ) => {
    addRoute(app, 'POST', path, {
      tags: [tags.vpn],
      summary,
      consumes: ['application/x-www-form-urlencoded'],
      body: documented(tokenForm),
      response: {
        200: answer,
        400: oauthFailure('A parameter is missing'),
        401: oauthFailure('The client is not registered'),
      },
      handler: (request, reply) => {
        reply.header('cache-control', 'no-store')
        const form = tokenForm.safeParse(formOf(request))
        if (!form.success) return sendOAuthError(reply, invalidRequest('missing or malformed "token"'))
        const client = clientOf(request)
        if (client === undefined || !request.world.vpn.isRegistered(client)) {
          return sendOAuthError(reply, oauthError('invalid_client', 'client does not exist'))
        }
        return run(request, reply, form.data.token, client)
      },
    })
  }
  addCall(
    own.revoke,
    'Revokes a token; a refresh token with all tokens of its login',
    z.null().describe('It is not valid, or never was'),
    ({ world: { vpn } }, reply, token, client) => {
      const active = vpn.tokens.active(token)
      if (active !== undefined && active.authorization.clientId !== client) {
        return sendOAuthError(reply, invalidRequest('the token belongs to another client'))
      }
      vpn.tokens.revokeToken(token)
      return reply.code(200).send()
    },
  )
  addCall(
    own.introspect,
    'Returns whether a token is valid, and what it is for',
    introspection.describe('The facts; only active for a token that is not valid'),
    ({ world: { vpn }, askedOrigin }, reply, token) => {
      const active = vpn.tokens.active(token)
      if (active === undefined) return sendJson(reply, 200, { active: false })
      const { authorization, expires, kind } = active
      return sendJson(reply, 200, {
        active: true,
        scope: 'config',
        client_id: authorization.clientId,
        username: authorization.userId,
        sub: authorization.userId,
        token_type: kind === 'access' ? 'Bearer' : undefined,
        exp: Math.floor(expires / 1000),
        iss: vpn.tokenIssuer(askedOrigin),
      })
    },
  )
}
