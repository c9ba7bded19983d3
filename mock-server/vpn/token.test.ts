import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'

const { server, client } = await serveMock({ autoApprove: true })
beforeEach(() => client.control('POST', '/reset'))

async function token(form: Record<string, string>): Promise<[number, Record<string, unknown>]> {
  const response = await client.postForm('/oauth/token', form)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  return [response.status, (await response.json()) as Record<string, unknown>]
}
async function refusal(form: Record<string, string>): Promise<[number, unknown]> {
  const [status, body] = await token(form)
  expect(body).toEqual({ error: body.error, error_description: expect.any(String) as string })
  return [status, body.error]
}
async function isAccepted(accessToken: string): Promise<boolean> {
  return (await client.call(accessToken, '/profile_list')).status === 200
}
const refreshWith = (refresh_token: string, more: Record<string, string> = {}) => ({
  grant_type: 'refresh_token',
  refresh_token,
  ...more,
})

describe('exchanging a code', () => {
  it('returns both tokens, valid for an hour', async () => {
    const [status, body] = await token(await client.codeForm())
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+$/) as string,
      refresh_token: expect.stringMatching(/^[\w-]+$/) as string,
      token_type: 'bearer',
      expires_in: 3600,
    })
    expect(await isAccepted(String(body.access_token))).toBe(true)
  })

  it('ignores unknown fields', async () => {
    const [status] = await token({ ...(await client.codeForm()), scope: 'config', whatever: '1' })
    expect(status).toBe(200)
  })

  it('refuses a wrong verifier, and the code stays valid', async () => {
    const form = await client.codeForm()
    expect(await refusal({ ...form, code_verifier: 'x'.repeat(43) })).toEqual([400, 'invalid_grant'])
    expect((await token(form))[0]).toBe(200)
  })

  it('refuses another redirect URI or client with invalid_request, an unknown client with 401', async () => {
    const form = await client.codeForm()
    const other = { ...form, redirect_uri: 'http://127.0.0.1:40001/callback' }
    expect(await refusal(other)).toEqual([400, 'invalid_request'])
    expect(await refusal({ ...form, client_id: 'org.causeway.app.macos' })).toEqual([400, 'invalid_request'])
    expect(await refusal({ ...form, client_id: 'org.example.app' })).toEqual([401, 'invalid_client'])
  })

  it('accepts a code once; a second use revokes the tokens of the first', async () => {
    const form = await client.codeForm()
    const [, first] = await token(form)
    expect(await refusal(form)).toEqual([400, 'invalid_grant'])
    expect(await isAccepted(String(first.access_token))).toBe(false)
    expect(await refusal(refreshWith(String(first.refresh_token)))).toEqual([400, 'invalid_grant'])
  })

  it('keeps the tokens of other logins when a code is used twice', async () => {
    const other = await client.logIn()
    const form = await client.codeForm()
    await token(form)
    await token(form)
    expect(await isAccepted(other.accessToken)).toBe(true)
  })

  it('accepts a code for five minutes', async () => {
    const soon = await client.codeForm()
    const late = await client.codeForm()
    await client.control('POST', '/clock', { advanceSeconds: 299 })
    expect((await token(soon))[0]).toBe(200)
    await client.control('POST', '/clock', { advanceSeconds: 2 })
    expect(await refusal(late)).toEqual([400, 'invalid_grant'])
  })

  it.each(['code', 'redirect_uri', 'client_id', 'code_verifier', 'grant_type'])(
    'refuses a request without %s',
    async (name) => {
      const { [name]: _left, ...form } = await client.codeForm()
      expect(await refusal(form)).toEqual([400, 'invalid_request'])
      expect(await refusal({ ...form, [name]: '' })).toEqual([400, 'invalid_request'])
    },
  )

  it('refuses repeated parameters, malformed verifiers, unknown codes and other grants', async () => {
    const form = await client.codeForm()
    const body = new URLSearchParams(form)
    body.append('code', 'another')
    const twice = await fetch(`${server.origin}/oauth/token`, { method: 'POST', body })
    expect(twice.status).toBe(400)
    expect(await refusal({ ...form, code_verifier: 'short' })).toEqual([400, 'invalid_request'])
    expect(await refusal({ ...form, code: 'unknown' })).toEqual([400, 'invalid_grant'])
    const password = { grant_type: 'password', username: 'tester', password: 'x' }
    expect(await refusal(password)).toEqual([400, 'unsupported_grant_type'])
  })
})

describe('refreshing', () => {
  it('needs no client_id, returns no new refresh token, and keeps the old access token valid', async () => {
    const { accessToken, refreshToken } = await client.logIn()
    const [status, body] = await token(refreshWith(refreshToken))
    expect([status, Object.keys(body).sort()]).toEqual([200, ['access_token', 'expires_in', 'token_type']])
    expect(await isAccepted(String(body.access_token))).toBe(true)
    expect(await isAccepted(accessToken)).toBe(true)
    expect((await token(refreshWith(refreshToken)))[0]).toBe(200)
  })

  it('works after the access token has expired, until the session ends after 90 days', async () => {
    const { accessToken, refreshToken } = await client.logIn()
    await client.control('POST', '/clock', { advanceSeconds: 3599 })
    expect(await isAccepted(accessToken)).toBe(true)
    await client.control('POST', '/clock', { advanceSeconds: 1 })
    expect(await isAccepted(accessToken)).toBe(false)
    await client.control('POST', '/clock', { advanceSeconds: 90 * 86_400 - 3600 - 60 })
    const [, body] = await token(refreshWith(refreshToken))
    expect(body.expires_in).toBe(3600)
    await client.control('POST', '/clock', { advanceSeconds: 120 })
    expect(await isAccepted(String(body.access_token))).toBe(false)
    expect(await refusal(refreshWith(refreshToken))).toEqual([400, 'invalid_grant'])
  })

  it('reports malformed and revoked tokens as no longer authorized', async () => {
    const { refreshToken } = await client.logIn()
    await client.control('POST', '/tokens/revoke', { kind: 'all' })
    for (const refresh_token of [refreshToken, 'garbage']) {
      const [status, body] = await token(refreshWith(refresh_token))
      expect([status, body]).toEqual([
        400,
        { error: 'invalid_grant', error_description: '"refresh_token" is no longer authorized' },
      ])
    }
  })

  it('refuses another scope, an unknown client, and the token of another client', async () => {
    const { refreshToken } = await client.logIn()
    const refused = (more: Record<string, string>) => refusal(refreshWith(refreshToken, more))
    expect(await refused({ scope: 'config admin' })).toEqual([400, 'invalid_scope'])
    expect(await refused({ client_id: 'org.example.app' })).toEqual([401, 'invalid_client'])
    expect(await refused({ client_id: 'org.causeway.app.macos' })).toEqual([400, 'invalid_grant'])
    expect((await token(refreshWith(refreshToken, { client_id: 'org.causeway.app.linux' })))[0]).toBe(200)
    expect(await refusal({ grant_type: 'refresh_token' })).toEqual([400, 'invalid_request'])
  })
})

describe('the token endpoint', () => {
  it('accepts only POST', async () => {
    const response = await client.get('/oauth/token')
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(response.headers.get('content-type')).toBe('application/json')
  })

  it('ignores parameters in a body that is not a form', async () => {
    const form = await client.codeForm()
    for (const type of ['application/json', 'text/plain', 'garbage']) {
      const response = await fetch(`${server.origin}/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: JSON.stringify(form),
      })
      expect(response.status).toBe(type === 'garbage' ? 415 : 400)
      expect(await response.json()).toMatchObject({ error: 'invalid_request' })
    }
  })
})
