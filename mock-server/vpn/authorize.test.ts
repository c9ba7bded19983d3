import { describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { goodRequest } from '../test-client'

const { server, client } = await serveMock()

const { query } = goodRequest()
const path = (parameters: Record<string, string>) =>
  `/oauth/authorize?${new URLSearchParams(parameters).toString()}`

function redirectOf(response: Response): URL {
  expect(response.status).toBe(302)
  return new URL(response.headers.get('location') ?? '')
}

describe('the page of the authorization endpoint', () => {
  it('names the application, offers Approve and Deny, and loads and runs nothing', async () => {
    const response = await client.authorize(query)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const html = await response.text()
    expect(html).toContain('org.causeway.app.linux')
    expect(html).toMatch(/<button[^>]*value="approve">Approve<\/button>/)
    expect(html).toMatch(/<button[^>]*value="deny">Deny<\/button>/)
    expect(html).not.toMatch(/<script|<img|<link|src=|https?:/)
  })

  it('approves with a code, the state and the issuer', async () => {
    const response = await client.postForm(path(query), { decision: 'approve' })
    const location = redirectOf(response)
    expect(`${location.origin}${location.pathname}`).toBe(query.redirect_uri)
    expect([...location.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
    expect(location.searchParams.get('state')).toBe(query.state)
    expect(location.searchParams.get('iss')).toBe(server.origin)
    expect(location.searchParams.get('code')).toMatch(/^[\w-]{300,}$/)
  })

  it('signs the chosen user in, and suggests known ones', async () => {
    expect(await (await client.authorize(query)).text()).toMatch(/<input[^>]*name="user"[^>]*value="tester"/)
    const { query: own, verifier } = goodRequest()
    const location = redirectOf(await client.postForm(path(own), { decision: 'approve', user: ' Zoë <b> ' }))
    const tokens = (await (
      await client.postForm('/oauth/token', {
        grant_type: 'authorization_code',
        code: location.searchParams.get('code') ?? '',
        redirect_uri: own.redirect_uri ?? '',
        client_id: own.client_id ?? '',
        code_verifier: verifier,
      })
    ).json()) as { access_token: string }
    const info: unknown = await (await client.call(tokens.access_token, '/user_info')).json()
    expect(info).toMatchObject({ user_info: { data: { user_id: 'Zoë <b>' } } })
    const html = await (await client.authorize(query)).text()
    expect(html).toContain('<option value="Zoë &lt;b&gt;"></option>')
    expect((await client.postForm(path(query), { decision: 'approve', user: 'a\nb' })).status).toBe(400)
  })

  it('denies with access_denied and the state', async () => {
    const location = redirectOf(await client.postForm(path(query), { decision: 'deny' }))
    expect(Object.fromEntries(location.searchParams)).toEqual({
      error: 'access_denied',
      state: query.state,
      iss: server.origin,
    })
  })

  it('refuses any other decision, and a decision about an invalid request', async () => {
    expect((await client.postForm(path(query), { decision: 'maybe' })).status).toBe(400)
    expect((await client.postForm(path(query), {})).status).toBe(400)
    const wrong = path({ ...query, redirect_uri: 'https://evil.example/callback' })
    const response = await client.postForm(wrong, { decision: 'approve' })
    expect([response.status, response.headers.get('location')]).toEqual([401, null])
  })
})

describe('an invalid authorization request', () => {
  async function refusal(parameters: Record<string, string> | URLSearchParams): Promise<[number, string]> {
    const response = await client.authorize(parameters)
    expect(response.headers.get('location')).toBeNull()
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const error = /ERROR: (\w+) \([^<]+\)/.exec(await response.text())?.[1]
    return [response.status, error ?? 'no error named']
  }

  it.each(Object.keys(query))('is not redirected if %s is missing, empty or repeated', async (name) => {
    const { [name]: _left, ...rest } = query
    expect(await refusal(rest)).toEqual([400, 'invalid_request'])
    expect(await refusal({ ...query, [name]: '' })).toEqual([400, 'invalid_request'])
    const twice = new URLSearchParams(query)
    twice.append(name, query[name] ?? '')
    expect(await refusal(twice)).toEqual([400, 'invalid_request'])
  })

  it.each([
    'http://localhost:40000/callback',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:1023/callback',
    'http://127.0.0.1:65536/callback',
    'http://127.0.0.1:040000/callback',
    'http://127.0.0.1:40000/other',
    'http://127.0.0.1:40000/callback?x=1',
    'http://127.0.0.1:40000/callback#x',
    'https://127.0.0.1:40000/callback',
    'http://127.0.0.1:40000@evil.example/callback',
    'http://127.0.0.1.evil.example:40000/callback',
  ])('is not redirected to %s', async (redirect_uri) => {
    expect(await refusal({ ...query, redirect_uri })).toEqual([401, 'invalid_client'])
  })

  it.each([
    ['client_id', 'org.example.app', 401, 'invalid_client'],
    ['client_id', 'toString', 401, 'invalid_client'],
    ['response_type', 'token', 400, 'unsupported_response_type'],
    ['scope', 'config admin', 400, 'invalid_scope'],
    ['state', 'line\nbreak', 400, 'invalid_request'],
    ['code_challenge_method', 'plain', 400, 'invalid_request'],
    ['code_challenge', 'short', 400, 'invalid_request'],
    ['code_challenge', 'a'.repeat(44), 400, 'invalid_request'],
    ['code_challenge', `${'a'.repeat(42)}+`, 400, 'invalid_request'],
  ])('is not redirected with %s %o', async (name, value, status, error) => {
    expect(await refusal({ ...query, [name]: value })).toEqual([status, error])
  })

  it('is shown without its markup', async () => {
    const response = await client.authorize({ ...query, client_id: '<script>alert(1)</script>' })
    expect(await response.text()).not.toContain('<script')
  })
})

describe('registered clients', () => {
  it.each([
    ['org.causeway.app.windows', 'http://127.0.0.1:1024/callback'],
    ['org.causeway.app.macos', 'http://127.0.0.1:65535/callback'],
    ['org.eduvpn.app.linux', 'http://[::1]:40000/callback'],
    ['org.letsconnect-vpn.app.windows', 'http://[::1]:1024/callback'],
  ])('%s may use %s', async (client_id, redirect_uri) => {
    expect((await client.authorize({ ...query, client_id, redirect_uri })).status).toBe(200)
  })
})
