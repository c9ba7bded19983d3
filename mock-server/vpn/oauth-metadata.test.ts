import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { goodRequest, TestClient } from '../test-client'

const client: oauth.Client = { client_id: 'org.causeway.app.linux' }
const redirectUri = 'http://127.0.0.1:40000/callback'
const none = oauth.None()
/** The library marks its switch for plain http as deprecated so that it stands out. */
const insecure = Reflect.get(oauth, 'allowInsecureRequests') as symbol

describe.each([
  ['http', undefined],
  ['https', 'generated'],
] as const)('with --oauth-metadata over %s', (_scheme, tls) => {
  let server: MockServer
  let test: TestClient
  let options: { [oauth.customFetch]: typeof fetch }
  let as: oauth.AuthorizationServer
  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, api: '3', tls, oauthMetadata: true })
    test = new TestClient(server)
    const custom = (url: string, init: Parameters<TestClient['fetch']>[1]) => test.fetch(url, init)
    options = { [oauth.customFetch]: custom as typeof fetch, [insecure]: tls === undefined }
    const issuer = new URL(server.origin)
    as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' }),
    )
  })
  afterAll(() => server.close())

  /** Logs in as a library does that knows nothing of portals. */
  async function logIn(): Promise<oauth.TokenEndpointResponse> {
    const { query, verifier } = goodRequest()
    const url = `${as.authorization_endpoint ?? ''}?${new URLSearchParams(query).toString()}`
    const redirect = await test.fetch(url, { redirect: 'manual' })
    const back = new URL(redirect.headers.get('location') ?? '')
    const parameters = oauth.validateAuthResponse(as, client, back, query.state)
    const answer = await oauth.authorizationCodeGrantRequest(
      as,
      client,
      none,
      parameters,
      redirectUri,
      verifier,
      options,
    )
    return oauth.processAuthorizationCodeResponse(as, client, answer)
  }
  const introspect = async (token: string) =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, none, token, options),
    )
  const revoke = async (token: string) =>
    oauth.processRevocationResponse(await oauth.revocationRequest(as, client, none, token, options))
  const info = async (token: string) => (await test.call3(token, '/info')).status

  it('has the same metadata for OpenID Connect', async () => {
    const issuer = new URL(server.origin)
    const found = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options))
    expect(found).toEqual(as)
    expect(as.authorization_response_iss_parameter_supported).toBe(true)
    expect(as.response_modes_supported).toEqual(['query', 'form_post'])
  })

  it('issues access tokens as JWTs that its keys verify, and that the portal accepts', async () => {
    const { access_token: token } = await logIn()
    const headers = { authorization: `Bearer ${token}` }
    const request = new Request(`${server.origin}/api/v3/info`, { headers })
    const claims = await oauth.validateJwtAccessToken(as, request, server.origin, options)
    expect(claims).toMatchObject({ sub: 'tester', client_id: client.client_id, scope: 'config' })
    expect(await info(token)).toBe(200)
    const [head = '', body = '', signature = ''] = token.split('.')
    const forged = Buffer.from(JSON.stringify({ ...claims, sub: 'root' })).toString('base64url')
    for (const wrong of [
      `${head}.${forged}.${signature}`,
      `${head}.${body}.`,
      `${head}.${body}`,
      `${token}.x`,
    ]) {
      expect(await info(wrong)).toBe(401)
    }
  })

  it('introspects and revokes tokens', async () => {
    const { access_token: access, refresh_token: refresh = '' } = await logIn()
    expect(await introspect(access)).toMatchObject({ active: true, sub: 'tester', token_type: 'Bearer' })
    expect(await introspect(refresh)).toMatchObject({ active: true, client_id: client.client_id })
    await revoke(access)
    expect([(await introspect(access)).active, await info(access)]).toEqual([false, 401])
    const answer = await oauth.refreshTokenGrantRequest(as, client, none, refresh, options)
    const renewed = await oauth.processRefreshTokenResponse(as, client, answer)
    // Spent: the portal has rotated it.
    expect((await introspect(refresh)).active).toBe(false)
    await revoke(renewed.refresh_token ?? '')
    expect([(await introspect(renewed.access_token)).active, await info(renewed.access_token)]).toEqual([
      false,
      401,
    ])
    await revoke('never issued')
    expect((await introspect('never issued')).active).toBe(false)
  })

  it('refuses other clients, and requests without a token', async () => {
    const { access_token: token } = await logIn()
    const post = async (path: string, form: Record<string, string>) => {
      const response = await test.postForm(path, form)
      return [response.status, ((await response.json()) as { error: string }).error]
    }
    for (const path of ['/oauth/revoke', '/oauth/introspect']) {
      expect(await post(path, { client_id: client.client_id })).toEqual([400, 'invalid_request'])
      expect(await post(path, { token, client_id: 'nobody' })).toEqual([401, 'invalid_client'])
      expect(await post(path, { token })).toEqual([401, 'invalid_client'])
    }
    const other = { token, client_id: 'org.eduvpn.app.linux' }
    expect(await post('/oauth/revoke', other)).toEqual([400, 'invalid_request'])
    expect(await info(token)).toBe(200)
  })

  it('names the address of a world', async () => {
    const { origin } = (await (await test.control('POST', '/worlds')).json()) as { origin: string }
    const issuer = new URL(origin)
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const answer = await oauth.discoveryRequest(issuer, { ...options, algorithm })
      const found = await oauth.processDiscoveryResponse(issuer, answer)
      expect(found.token_endpoint).toBe(`${origin}/oauth/token`)
    }
  })
})

it('is off by default', async () => {
  const server = await createMockServer({ autoApprove: true })
  const test = new TestClient(server)
  try {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/oauth/jwks',
    ]) {
      expect((await test.get(path)).status).toBe(404)
    }
    expect((await test.logIn()).accessToken).not.toContain('.')
  } finally {
    await server.close()
  }
})
