import { createPrivateKey, X509Certificate } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { goodRequest } from '../test-client'
import { openvpnTricks as tricks } from './scenarios'

const now = new Date('2026-11-20T12:00:00Z')
let accessToken: string
let refreshToken: string
const { client } = await serveMock({ autoApprove: true, clock: { now: () => now } })
beforeEach(async () => {
  await client.control('POST', '/reset')
  const tokens = await client.logIn()
  accessToken = tokens.accessToken
  refreshToken = tokens.refreshToken
})

const call = (path: string) => client.call(accessToken, path)
const status = async (path: string) => (await call(path)).status
const config = (profile = 'office') =>
  client.profileConfig(accessToken, `profile_id=${profile}&remote_strategy=2`)
const remotes = (text: string) => text.split('\r\n').filter((line) => line.startsWith('remote '))
const profiles = () => client.data(accessToken, 'profile_list')
const messages = async () => (await client.data(accessToken, 'system_messages')) as Record<string, unknown>[]
async function redirected(): Promise<Record<string, string>> {
  const response = await client.authorize(goodRequest().query)
  return Object.fromEntries(new URL(response.headers.get('location') ?? 'none:').searchParams)
}

describe('logins', () => {
  it.each([
    ['login-denied', { error: 'access_denied' }],
    ['login-wrong-state', { state: 'not-the-state-that-was-sent' }],
    ['login-wrong-issuer', { iss: 'https://another-issuer.example' }],
    ['login-scope-refused', { error: 'invalid_scope' }],
  ])('%s changes the parameters of every redirect', async (name, expected) => {
    await client.scenario(name)
    expect(await redirected()).toMatchObject(expected)
    expect(await redirected()).toMatchObject(expected)
  })

  it('login-without-state: the redirect has no state', async () => {
    await client.scenario('login-without-state')
    expect(await redirected()).not.toHaveProperty('state')
  })

  it.each([
    ['login-error-page', 400],
    ['login-server-error', 500],
    ['login-never-answers', 200],
  ])('%s: the login is not redirected', async (name, expected) => {
    await client.scenario(name)
    const response = await client.authorize(goodRequest().query)
    expect([response.status, response.headers.get('location')]).toEqual([expected, null])
  })

  it('client-unknown: authorizing, refreshing and redeeming a code are refused', async () => {
    const form = await client.codeForm()
    await client.scenario('client-unknown')
    expect((await client.authorize(goodRequest().query)).status).toBe(401)
    for (const response of [
      await client.refresh(refreshToken),
      await client.postForm('/oauth/token', form),
    ]) {
      expect([response.status, await response.json()]).toMatchObject([401, { error: 'invalid_client' }])
    }
  })
})

describe('logins that end early', () => {
  it('sign-in-first: only the token endpoint tells of an unknown client', async () => {
    await client.scenario('sign-in-first')
    const query = new URLSearchParams(goodRequest().query)
    query.set('client_id', 'org.example.unknown')
    for (const each of [goodRequest().query, query]) {
      const response = await client.authorize(each)
      expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('sign in')])
    }
    const form = (clientId: string) =>
      client.postForm('/oauth/token', {
        grant_type: 'authorization_code',
        code: 'unknown',
        redirect_uri: 'http://127.0.0.1:4000/callback',
        client_id: clientId,
        code_verifier: 'v'.repeat(43),
      })
    const answerTo = async (clientId: string) => {
      const response = await form(clientId)
      return [response.status, ((await response.json()) as { error: string }).error]
    }
    expect(await answerTo('org.example.unknown')).toEqual([401, 'invalid_client'])
    expect(await answerTo('org.eduvpn.app.linux')).toEqual([400, 'invalid_grant'])
  })

  it.each([
    ['login-revoked', 302],
    ['account-disabled', 403],
  ])('%s: tokens are refused, and the browser gets %i', async (name, expected) => {
    await client.scenario(name)
    expect(await status('/profile_list')).toBe(401)
    const refreshed = await client.refresh(refreshToken)
    expect([refreshed.status, await refreshed.json()]).toMatchObject([400, { error: 'invalid_grant' }])
    expect((await client.authorize(goodRequest().query)).status).toBe(expected)
  })
})

describe('tokens and sessions', () => {
  it('token-endpoint-down: requests get 500, and the tokens work afterwards', async () => {
    await client.scenario('token-endpoint-down')
    expect((await client.refresh(refreshToken)).status).toBe(500)
    await client.scenario('all-well')
    expect((await client.refresh(refreshToken)).status).toBe(200)
  })

  it('access-token-expired: the old token is refused repeatedly, and a refreshed one works', async () => {
    for (let round = 0; round < 2; round += 1) {
      await client.scenario('access-token-expired')
      expect(await status('/profile_list')).toBe(401)
      const { access_token } = (await (await client.refresh(refreshToken)).json()) as Record<string, string>
      accessToken = access_token ?? ''
      expect(await status('/profile_list')).toBe(200)
    }
  })

  it('access-tokens-short-lived: tokens expire as expires_in says', async () => {
    await client.scenario('access-tokens-short-lived')
    const answer = (await (await client.refresh(refreshToken)).json()) as Record<string, unknown>
    expect(answer.expires_in).toBe(5)
    accessToken = String(answer.access_token)
    expect(await status('/profile_list')).toBe(200)
    await client.control('POST', '/clock', { advanceSeconds: 5 })
    expect(await status('/profile_list')).toBe(401)
  })

  it('access-without-scope: calls are refused with insufficient_scope', async () => {
    await client.scenario('access-without-scope')
    const response = await call('/profile_list')
    expect(response.status).toBe(403)
    expect(response.headers.get('www-authenticate')).toContain('insufficient_scope')
  })

  it('session-over: tokens and certificates expire, and the next login works', async () => {
    const pair = await client.createKeyPair(accessToken)
    await client.scenario('session-over')
    expect(await status('/profile_list')).toBe(401)
    expect((await client.refresh(refreshToken)).status).toBe(400)
    accessToken = (await client.logIn()).accessToken
    expect(await status('/profile_list')).toBe(200)
    expect(await client.check(accessToken, pair)).toMatchObject({ reason: 'certificate_expired' })
    expect(await client.check(accessToken, await client.createKeyPair(accessToken))).toEqual({
      is_valid: true,
    })
  })

  it.each([
    ['session-soon-over', 600],
    ['certificate-that-soon-ends', 7200],
  ])('%s: new certificates expire early', async (name, seconds) => {
    await client.scenario(name)
    const { certificate } = await client.createKeyPair(accessToken)
    const ends = new Date(new X509Certificate(certificate).validTo)
    expect(ends.getTime() - now.getTime()).toBe(seconds * 1000)
    expect(await status('/profile_list')).toBe(200)
  })
})

describe('certificates', () => {
  it.each([
    ['expired-certificate', 'certificate_expired', true],
    ['revoked-certificate', 'certificate_missing', true],
    ['not-yet-valid-certificate', 'certificate_not_yet_valid', false],
    ['user-disabled', 'user_disabled', false],
    ['certificate-disabled', 'certificate_disabled', false],
  ])('%s: the reason is %s, and a new certificate is accepted: %s', async (name, reason, helps) => {
    const old = await client.createKeyPair(accessToken)
    await client.scenario(name)
    expect(await client.check(accessToken, old)).toEqual({ is_valid: false, reason })
    const fresh = await client.createKeyPair(accessToken)
    expect(await client.check(accessToken, fresh)).toEqual(
      helps ? { is_valid: true } : { is_valid: false, reason },
    )
    await client.scenario('all-well')
    expect(await client.check(accessToken, old)).toEqual({ is_valid: true })
  })

  it('key-does-not-fit: the private key does not match the certificate', async () => {
    await client.scenario('key-does-not-fit')
    const { certificate, private_key } = await client.createKeyPair(accessToken)
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(private_key))).toBe(false)
  })

  it('no-new-certificates: creating a key pair is answered 500', async () => {
    await client.scenario('no-new-certificates')
    expect((await client.call(accessToken, '/create_keypair', { method: 'POST' })).status).toBe(500)
    expect(await status('/profile_list')).toBe(200)
  })

  it('wrong-clock-ahead: a new certificate is not valid yet by the real time', async () => {
    await client.scenario('wrong-clock-ahead')
    expect(await status('/profile_list')).toBe(401)
    accessToken = (await client.logIn()).accessToken
    const { certificate } = await client.createKeyPair(accessToken)
    expect(new Date(new X509Certificate(certificate).validFrom) > now).toBe(true)
  })

  it('wrong-clock-behind: a certificate is not valid yet on the portal, until all-well', async () => {
    const pair = await client.createKeyPair(accessToken)
    await client.scenario('wrong-clock-behind')
    expect(await client.check(accessToken, pair)).toMatchObject({ reason: 'certificate_not_yet_valid' })
    await client.scenario('all-well')
    expect(await client.check(accessToken, pair)).toEqual({ is_valid: true })
  })
})

describe('profiles', () => {
  it.each([
    ['no-profiles', 0],
    ['one-profile', 1],
    ['many-profiles', 60],
    ['hidden-profile', 1],
  ])('%s: the list has %d profiles, and the original ones are back with all-well', async (name, count) => {
    const before = await profiles()
    await client.scenario(name)
    expect(await profiles()).toHaveLength(count)
    await client.scenario('all-well')
    expect(await profiles()).toEqual(before)
  })

  it('hidden-profile and profile-refused: the configuration is refused with status 200', async () => {
    const refusal = { profile_config: { ok: false, error: 'profile not available or no permission' } }
    for (const name of ['hidden-profile', 'profile-refused']) {
      await client.scenario(name)
      const response = await call('/profile_config?profile_id=office')
      expect([response.status, await response.json()]).toEqual([200, refusal])
    }
    expect(await profiles()).toHaveLength(2)
  })

  it('profile-config-hostile: there is a profile for each trick, and the others have all tricks', async () => {
    const harmless = await config()
    await client.scenario('profile-config-hostile')
    expect(await profiles()).toHaveLength(2 + tricks.length)
    const fetched = await Promise.all(tricks.map(({ name }) => config(name)))
    expect(new Set(fetched).size).toBe(tricks.length)
    for (const text of fetched) expect(remotes(text).length, text).toBeGreaterThan(0)
    expect(await config('up')).toBe(`${harmless}\r\nscript-security 2\r\nup /usr/bin/false\r\nup-restart`)
    expect(await config('block-ended-with-junk')).toContain('\r\n  </ca>junk\r\nup /usr/bin/false\r\n</ca>')
    expect(await config('office')).toMatch(/\r\nup [^]*\r\nplugin [^]*\r\nmanagement /)
    const ids = (await profiles()).map((profile) => (profile as { profile_id: string }).profile_id)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('profile-config-nonsense and profile-config-empty: status 200 without a configuration', async () => {
    await client.scenario('profile-config-nonsense')
    const response = await call('/profile_config?profile_id=office')
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await response.text()).toMatch(/^<!doctype html>/)
    await client.scenario('profile-config-empty')
    expect(await config()).toBe('')
  })

  it.each([
    ['no-remotes', []],
    ['only-tcp-remotes', ['tcp', 'tcp', 'tcp']],
    ['only-udp-remotes', ['udp', 'udp', 'udp']],
    ['dead-remotes-first', ['tcp', 'udp', 'udp', 'udp', 'tcp', 'tcp', 'tcp']],
  ])('%s changes the remotes', async (name, protocols) => {
    await client.scenario(name)
    expect(remotes(await config()).map((line) => line.split(' ')[3])).toEqual(protocols)
  })

  it('dead-remotes: every remote is dead', async () => {
    await client.scenario('dead-remotes')
    expect(new Set(remotes(await config()))).toEqual(
      new Set(['remote 127.0.0.1 9 udp', 'remote 127.0.0.1 9 tcp']),
    )
  })
})

describe('messages', () => {
  it('no-messages and many-messages change the number of messages', async () => {
    await client.scenario('no-messages')
    expect(await messages()).toEqual([])
    await client.scenario('many-messages')
    const times = (await messages()).map(({ date_time }) => Date.parse(String(date_time)))
    expect(times).toHaveLength(200)
    expect(times).toEqual([...times].sort((one, other) => other - one))
  })

  it('hostile-messages: texts have markup and control characters, or are empty', async () => {
    await client.scenario('hostile-messages')
    const texts = (await messages()).map(({ message }) => message)
    expect(texts.join('\n')).toMatch(/<script>[^]*javascript:[^]*\u202E/)
    expect(texts).toContain('')
    expect(texts).toContainEqual({})
  })

  it('maintenance-message: the message has begin and end, but no text', async () => {
    await client.scenario('maintenance-message')
    const [first, ...others] = await messages()
    expect(first).toEqual({
      type: 'maintenance',
      date_time: '2026-11-20T12:00:00.000Z',
      begin: '2026-11-21T12:00:00.000Z',
      end: '2026-11-21T14:00:00.000Z',
    })
    expect(others).toHaveLength(3)
  })
})

describe('the portal', () => {
  it.each([
    ['portal-down', 500, 'application/json'],
    ['portal-in-maintenance', 503, 'text/html'],
    ['html-instead-of-json', 200, 'text/html; charset=utf-8'],
  ])('%s: every request gets %d', async (name, expected, type) => {
    await client.scenario(name)
    const responses = [
      await client.get('/info.json'),
      await client.get('/.well-known/vpn-user-portal'),
      await client.refresh(refreshToken),
      await call('/profile_list'),
    ]
    for (const response of responses) {
      expect([response.status, response.headers.get('content-type')]).toEqual([expected, type])
    }
  })

  it('portal-unreachable: connections are reset while other services answer', async () => {
    await client.scenario('portal-unreachable')
    await expect(client.get('/info.json')).rejects.toThrow('fetch failed')
    await expect(call('/profile_list')).rejects.toThrow('fetch failed')
    expect((await client.get('/api/org')).status).toBe(200)
  })

  it('portal-slow: every answer is delayed by three seconds', async () => {
    await client.scenario('portal-slow')
    const faults = (await (await client.control('GET', '/faults')).json()) as object[]
    for (const path of ['/info.json', '/oauth/*', '/api/vpn/*']) {
      expect(faults).toContainEqual(expect.objectContaining({ match: { path }, fault: { delayMs: 3000 } }))
    }
  })

  it('oversized-answer: valid answers are twenty megabytes longer', async () => {
    await client.scenario('oversized-answer')
    const discovered = await (await client.get('/info.json')).text()
    expect(discovered.length).toBeGreaterThan(20_000_000)
    expect(JSON.parse(discovered)).toHaveProperty(['api', 'http://eduvpn.org/api#2'])
    const listed = (await (await call('/profile_list')).json()) as object
    expect(listed).toMatchObject({ profile_list: { ok: true } })
    expect((await config()).length).toBeGreaterThan(20_000_000)
  })

  it('discovery-missing: discovery is answered 404', async () => {
    await client.scenario('discovery-missing')
    expect((await client.get('/info.json')).status).toBe(404)
  })

  it.each([
    ['discovery-redirect-loop', '/info.json'],
    ['discovery-redirect-elsewhere', 'http://192.0.2.1/info.json'],
  ])('%s: discovery is redirected', async (name, location) => {
    await client.scenario(name)
    const response = await client.get('/info.json')
    expect([response.status, response.headers.get('location')]).toEqual([302, location])
  })

  it('discovery-only-version-3: discovery has only the key of version 3', async () => {
    await client.scenario('discovery-only-version-3')
    const { api } = (await (await client.get('/info.json')).json()) as { api: object }
    expect(Object.keys(api)).toEqual(['http://eduvpn.org/api#3'])
  })

  it('portal-of-version-3: info.json is an HTML page, and the well-known path has version 3', async () => {
    await client.scenario('portal-of-version-3')
    const page = await client.get('/info.json')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const { api } = (await (await client.get('/.well-known/vpn-user-portal')).json()) as { api: object }
    expect(Object.keys(api)).toEqual(['http://eduvpn.org/api#3'])
  })
})

it('ends a scenario when the next one is applied', async () => {
  await client.scenario('no-profiles')
  await client.scenario('no-messages')
  expect(await profiles()).toHaveLength(2)
  expect(await messages()).toEqual([])
})

it('is no obstacle to a later control call, which takes effect at once', async () => {
  const message = { type: 'notification', message: 'Later', date_time: '2026-11-01T08:00:00Z' }
  await client.control('POST', '/scenarios', { names: ['no-profiles', 'no-messages', 'one-device-only'] })
  await client.control('PUT', '/profiles', [{ profile_id: 'later', display_name: 'Later' }])
  await client.control('PUT', '/system-messages', [message])
  expect(await profiles()).toMatchObject([{ profile_id: 'later' }])
  expect(await messages()).toEqual([message])
  const portal = async () => (await client.control('GET', '/portal')).json()
  expect(await portal()).toMatchObject({ maxConfigurations: 1 })
  await client.control('PUT', '/portal', { maxConfigurations: 5 })
  expect(await portal()).toMatchObject({ maxConfigurations: 5 })
  await client.scenario('api-3-only')
  await client.control('PUT', '/portal', { api: '2,3', deleteAuthorizationOnDisconnect: true })
  expect(await portal()).toMatchObject({ api: '2,3', deleteAuthorizationOnDisconnect: true })
  expect(await profiles()).toMatchObject([{ profile_id: 'later' }])
})
