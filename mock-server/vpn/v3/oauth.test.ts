import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../../server'
import { goodRequest, TestClient } from '../../test-client'
import type { Portal3Version } from '../portal-version'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: MockServerOptions = {}): Promise<TestClient> {
  server = await createMockServer({ autoApprove: true, api: '3', ...options })
  return new TestClient(server)
}

interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
}
const tokensOf = async (response: Response) => (await response.json()) as Tokens
const infoStatus = async (client: TestClient, accessToken: string) =>
  (await client.call3(accessToken, '/info')).status

describe('the authorization endpoint', () => {
  it.each([
    ['3.0.0', null],
    ['3.1.0', '/'],
    ['3.7.0', ''],
    ['3.7.1', '/'],
    ['3.9.8', ''],
    ['3.13.1', ''],
  ] as [Portal3Version, string | null][])(
    'of portal %s sends iss with %j after the origin',
    async (version, end) => {
      const client = await start({ portalVersion: version })
      const redirect = await client.authorize(goodRequest().query)
      const { searchParams } = new URL(redirect.headers.get('location') ?? '')
      expect(searchParams.get('iss')).toBe(end === null ? null : `${client.origin}${end}`)
    },
  )

  it.each([
    ['scope', 'openid', 400, 'invalid_scope'],
    ['response_type', 'token', 400, 'unsupported_response_type'],
    ['code_challenge_method', 'plain', 400, 'invalid_request'],
    ['code_challenge', 'short', 400, 'invalid_request'],
    ['client_id', 'org.example.app', 401, 'invalid_client'],
    ['redirect_uri', 'http://localhost:40000/callback', 401, 'invalid_client'],
    ['redirect_uri', 'http://127.0.0.1:80/callback', 401, 'invalid_client'],
    ['redirect_uri', 'http://127.0.0.1:40000/other', 401, 'invalid_client'],
  ] as const)('refuses %s=%s on a page with status %d', async (name, value, status, error) => {
    const client = await start()
    const response = await client.authorize({ ...goodRequest().query, [name]: value })
    expect(response.status).toBe(status)
    expect(await response.text()).toContain(error)
    const { [name]: _missing, ...rest } = goodRequest().query
    expect((await client.authorize(rest as Record<string, string>)).status).toBe(400)
  })

  const formPost = { ...goodRequest().query, response_mode: 'form_post' }

  it('posts the code to the redirect URI for response_mode=form_post, since portal 3.12.0', async () => {
    const client = await start({ portalVersion: '3.12.0', tls: 'generated' })
    const { query, verifier } = goodRequest()
    const response = await client.authorize({ ...query, response_mode: 'form_post' })
    const page = await response.text()
    expect([response.status, /<form[^>]* action="([^"]*)"/.exec(page)?.[1]]).toEqual([
      200,
      query.redirect_uri,
    ])
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''
    expect([field('state'), field('iss')]).toEqual([query.state, client.origin])
    const form = { grant_type: 'authorization_code', code: field('code'), code_verifier: verifier }
    const { client_id = '', redirect_uri = '' } = query
    expect((await client.postForm('/oauth/token', { ...form, client_id, redirect_uri })).status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/form-action http:;.*script-src 'sha256-/)
  })

  it('redirects as always for response_mode=query, and ignores form_post before 3.12.0', async () => {
    const now = await start()
    expect((await now.authorize({ ...formPost, response_mode: 'query' })).status).toBe(302)
    for (const response_mode of ['fragment', '', 'form_post ']) {
      expect((await now.authorize({ ...formPost, response_mode })).status).toBe(400)
    }
    const mobile = { client_id: 'org.eduvpn.app.ios', redirect_uri: 'org.eduvpn.app.ios:/api/callback' }
    expect((await now.authorize({ ...formPost, ...mobile })).status).toBe(400)
    await server?.close()
    const before = await start({ portalVersion: '3.10.3' })
    expect((await before.authorize(formPost)).status).toBe(302)
  })

  it.each([
    ['org.causeway.app.windows', 'http://127.0.0.1:50000/callback', '3.13.1', true],
    ['org.causeway.app.macos', 'http://[::1]:50000/callback', '3.13.1', true],
    ['org.causeway.app.macos', 'org.causeway.app.macos:/api/callback', '3.13.1', false],
    ['org.causeway.app.ios', 'org.causeway.app.ios:/api/callback', '3.13.1', false],
    ['org.eduvpn.app.linux', 'http://[::1]:50000/callback', '3.13.1', true],
    ['org.eduvpn.app.macos', 'org.eduvpn.app.macos:/api/callback', '3.13.1', true],
    ['org.eduvpn.app.macos', 'org.eduvpn.app.macos:/api/callback', '3.9.12', false],
    ['org.letsconnect-vpn.app.ios', 'org.letsconnect-vpn.app.ios:/api/callback', '3.13.1', true],
    ['org.letsconnect-vpn.app.ios', 'http://127.0.0.1:50000/callback', '3.13.1', false],
    ['org.eduvpn.app.android', 'org.eduvpn.app:/api/callback', '3.0.0', true],
    ['org.eduvpn.app.android', 'org.eduvpn.app.android:/api/callback', '3.13.1', true],
    ['org.eduvpn.app.android', 'org.eduvpn.app.android:/api/callback', '3.1.0', false],
    ['org.govvpn.app.linux', 'http://127.0.0.1:50000/callback', '3.1.0', true],
    ['org.govvpn.app.linux', 'http://127.0.0.1:50000/callback', '3.13.1', false],
  ] as [string, string, Portal3Version, boolean][])(
    'redirects %s to %s in portal %s: %s',
    async (client_id, redirect_uri, portalVersion, isRegistered) => {
      const client = await start({ portalVersion })
      const { status } = await client.authorize({ ...goodRequest().query, client_id, redirect_uri })
      expect(status).toBe(isRegistered ? 302 : 401)
    },
  )
})

describe('the token endpoint', () => {
  it('answers without caching, with a bearer token for an hour', async () => {
    const client = await start()
    const response = await client.postForm('/oauth/token', await client.codeForm())
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await tokensOf(response)).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  })

  it('replaces the refresh token, and ends the login when a spent one is used', async () => {
    const client = await start()
    const first = await client.logIn()
    const second = await tokensOf(await client.refresh(first.refreshToken))
    expect(second.refresh_token).not.toBe(first.refreshToken)
    const third = await tokensOf(await client.refresh(second.refresh_token))
    expect(await infoStatus(client, third.access_token)).toBe(200)
    const reuse = await client.refresh(first.refreshToken)
    expect(reuse.status).toBe(400)
    expect(await reuse.json()).toMatchObject({ error: 'invalid_grant' })
    expect(await infoStatus(client, third.access_token)).toBe(401)
    expect((await client.refresh(third.refresh_token)).status).toBe(400)
  })

  it('keeps the refresh token valid where only version 2 is offered', async () => {
    const client = await start({ api: '2' })
    const { refreshToken } = await client.logIn()
    const answers = [await client.refresh(refreshToken), await client.refresh(refreshToken)]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(await tokensOf(answer)).not.toHaveProperty('refresh_token')
    }
  })

  it('ends the login when a code is used twice', async () => {
    const client = await start()
    const form = await client.codeForm()
    const { access_token } = await tokensOf(await client.postForm('/oauth/token', form))
    const again = await client.postForm('/oauth/token', form)
    expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect(await infoStatus(client, access_token)).toBe(401)
  })

  it('refuses a code after five minutes', async () => {
    const client = await start()
    const form = await client.codeForm()
    await client.control('POST', '/clock', { advanceSeconds: 301 })
    expect((await client.postForm('/oauth/token', form)).status).toBe(400)
  })

  it('never lets an access token outlive the session', async () => {
    const client = await start({ sessionSeconds: 100 })
    const tokens = await tokensOf(await client.postForm('/oauth/token', await client.codeForm()))
    expect(tokens.expires_in).toBeLessThanOrEqual(100)
    await client.control('POST', '/clock', { advanceSeconds: 101 })
    expect(await infoStatus(client, tokens.access_token)).toBe(401)
    expect((await client.refresh(tokens.refresh_token)).status).toBe(400)
  })
})

describe('POST /_mock/tokens', () => {
  it('logs a user in, with an access token that lasts as long as asked', async () => {
    const client = await start({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } })
    const response = await client.control('POST', '/tokens', { user: 'somebody', expiresIn: 3 })
    const tokens = (await response.json()) as {
      accessToken: string
      refreshToken: string
      expiresIn: number
    }
    expect(tokens.expiresIn).toBe(3)
    expect((await client.connect(tokens.accessToken, { profile_id: 'internet' })).status).toBe(200)
    const listed = await (await client.control('GET', '/configurations')).json()
    expect(listed).toMatchObject({ configurations: [{ user: 'somebody' }] })
    await client.control('POST', '/clock', { advanceSeconds: 3 })
    expect(await infoStatus(client, tokens.accessToken)).toBe(401)
    const refreshed = await tokensOf(await client.refresh(tokens.refreshToken))
    expect(await infoStatus(client, refreshed.access_token)).toBe(200)
  })

  it('logs in without a body', async () => {
    const client = await start({ api: '2' })
    const { accessToken } = (await (await client.control('POST', '/tokens')).json()) as {
      accessToken: string
    }
    expect((await client.call(accessToken, '/profile_list')).status).toBe(200)
  })
})
