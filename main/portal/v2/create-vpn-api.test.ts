import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection, startTestServer, type TestServer } from '../../platform/http/test-server.testing'
import type { Endpoints } from '../instance/instance'
import { createVpnApi } from './create-vpn-api'
import type { VpnApi } from './vpn-api'

const token = 'an-access-token'
const json = { 'content-type': 'application/json' }

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

interface Scene {
  readonly api: VpnApi
  readonly server: TestServer
  readonly received: Received[]
  readonly discarded: string[]
}

/** A portal with the same answer to every request, and the API for it. */
async function portal(
  body: unknown,
  {
    status = 200,
    headers = json,
    more = {},
  }: {
    status?: number
    headers?: Readonly<Record<string, string>>
    more?: Pick<Endpoints, 'loginElsewhere'>
  } = {},
): Promise<Scene> {
  const received: Received[] = []
  const server = await startTestServer((request, response) => {
    void text(request).then((sent) => {
      const { method, url, headers: sentHeaders } = request
      received.push({ method, url, headers: sentHeaders, body: sent })
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  const discarded: string[] = []
  const endpoints: Endpoints = {
    apiVersion: 2,
    apiBaseUri: `${server.origin}/base/api`,
    authorizationEndpoint: `${server.origin}/authorize`,
    tokenEndpoint: `${server.origin}/token`,
    services: {},
    ...more,
  }
  const api = createVpnApi({
    http: createHttpClient(),
    endpoints: () => Promise.resolve(endpoints),
    tokens: {
      accessToken: () => Promise.resolve(token),
      discardRejected: (rejected) => {
        discarded.push(rejected)
        return Promise.resolve()
      },
    },
  })
  return { api, server, received, discarded }
}

const good = (call: string, data: unknown): unknown => ({ [call]: { ok: true, data } })

describe('the five calls', () => {
  it('are made with the bearer token, and ask for JSON', async () => {
    const { api, received } = await portal(good('profile_list', []))
    expect(await api.profileList()).toEqual({ items: [], unreadable: 0 })
    expect(received).toMatchObject([
      {
        method: 'GET',
        url: '/base/api/profile_list',
        headers: { authorization: `Bearer ${token}`, accept: 'application/json' },
        body: '',
      },
    ])
  })

  it('return profiles of old and new portals without unknown fields', async () => {
    const { api } = await portal(
      good('profile_list', [
        {
          profile_id: 'internet',
          display_name: { en: 'Internet' },
          default_gateway: true,
          two_factor: false,
        },
        { profile_id: 'office', display_name: 'Office' },
        { profile_id: 'office', display_name: 'Office again' },
      ]),
    )
    expect((await api.profileList()).items).toEqual([
      { profileId: 'internet', displayName: { en: 'Internet' }, defaultGateway: true },
      { profileId: 'office', displayName: 'Office' },
    ])
  })

  it('create a key pair with POST and the name that old portals require', async () => {
    const { api, received } = await portal(
      good('create_keypair', { certificate: 'a certificate', private_key: 'a key' }),
    )
    expect(await api.createKeyPair('Causeway (Linux)')).toEqual({
      certificate: 'a certificate',
      privateKey: 'a key',
    })
    expect(received).toMatchObject([
      { method: 'POST', url: '/base/api/create_keypair', body: 'display_name=Causeway+%28Linux%29' },
    ])
    expect(received[0]?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
  })

  it('return a configuration unchanged', async () => {
    const configuration = 'dev tun\r\nclient\r\nremote vpn.example.org 1194 udp'
    const { api, received } = await portal(configuration, {
      headers: { 'content-type': 'application/x-openvpn-profile; charset=utf-8' },
    })
    expect(await api.profileConfig('a b&c=d/../é', 2)).toBe(configuration)
    expect(await api.profileConfig('internet')).toBe(configuration)
    const queries = received.map(({ url }) => new URL(url ?? '', 'http://localhost').searchParams)
    expect(queries.map((query) => Object.fromEntries(query))).toEqual([
      { profile_id: 'a b&c=d/../é', remote_strategy: '2' },
      { profile_id: 'internet' },
    ])
  })

  it.each([
    [{ is_valid: true }, { isValid: true }],
    [
      { is_valid: false, reason: 'certificate_expired' },
      { isValid: false, reason: 'certificate_expired' },
    ],
    [
      { is_valid: false, reason: 'user_disabled' },
      { isValid: false, reason: 'user_disabled' },
    ],
    [{ is_valid: false }, { isValid: false, reason: 'unknown' }],
    [
      { is_valid: false, reason: 'a\u001b[31m\nb' },
      { isValid: false, reason: 'a [31m b' },
    ],
  ])('check a certificate: %j', async (data, expected) => {
    const { api, received } = await portal(good('check_certificate', data))
    expect(await api.checkCertificate('0123abcd')).toEqual(expected)
    expect(received[0]?.url).toBe('/base/api/check_certificate?common_name=0123abcd')
  })

  it('return messages with their times, for any offset', async () => {
    const { api } = await portal(
      good('system_messages', [
        { type: 'notification', date_time: '2026-11-20T18:29:34Z', message: 'plain <b>text</b>' },
        { type: 'notification', date_time: '2026-11-20T19:29:34.5+01:00', message: { nl: 'tekst' } },
        {
          type: 'maintenance',
          date_time: '2026-11-20T18:29:34Z',
          message: '',
          begin: '2026-11-21T00:00:00Z',
        },
      ]),
    )
    expect((await api.systemMessages()).items).toEqual([
      { type: 'notification', dateTime: new Date('2026-11-20T18:29:34Z'), message: 'plain <b>text</b>' },
      { type: 'notification', dateTime: new Date('2026-11-20T18:29:34.500Z'), message: { nl: 'tekst' } },
      { type: 'maintenance', dateTime: new Date('2026-11-20T18:29:34Z'), message: '' },
    ])
  })
})

describe('an answer that does not match the specification', () => {
  it.each<[string, (api: VpnApi) => Promise<unknown>, unknown]>([
    ['no JSON', (api) => api.profileList(), '<html>Sign in to the hotel network</html>'],
    ['nothing', (api) => api.profileList(), ''],
    ['null', (api) => api.profileList(), 'null'],
    ['another call', (api) => api.profileList(), good('user_info', [])],
    [
      'an inherited name',
      (api) => api.profileList(),
      '{"__proto__": {"profile_list": {"ok": true, "data": []}}}',
    ],
    ['ok as a text', (api) => api.profileList(), { profile_list: { ok: 'true', data: [] } }],
    ['no data', (api) => api.profileList(), { profile_list: { ok: true } }],
    ['an object for a list', (api) => api.profileList(), good('profile_list', {})],
    [
      'a profile id with a line end',
      (api) => api.profileList(),
      good('profile_list', [{ profile_id: 'a\nb', display_name: 'A' }]),
    ],
    [
      'an endless profile id',
      (api) => api.profileList(),
      good('profile_list', [{ profile_id: 'a'.repeat(1025), display_name: 'A' }]),
    ],
    ['half a key pair', (api) => api.createKeyPair('x'), good('create_keypair', { private_key: 'SECRET' })],
    [
      'a key pair of lists',
      (api) => api.createKeyPair('x'),
      good('create_keypair', { certificate: ['c'], private_key: ['SECRET'] }),
    ],
    ['no verdict', (api) => api.checkCertificate('x'), good('check_certificate', { reason: 'SECRET' })],
    ...['yesterday', '', '2026-13-20'].map((date): [string, (api: VpnApi) => Promise<unknown>, unknown] => [
      `a message of ${date}`,
      (api) => api.systemMessages(),
      good('system_messages', [{ type: 'notification', date_time: date, message: 'SECRET' }]),
    ]),
  ])('is called so, without repeating it: %s', async (_what, call, body) => {
    const { api } = await portal(body)
    const error = await rejection(call(api))
    expect(error).toMatchObject({ code: 'vpn-api/invalid-response' })
    expect(JSON.stringify(error)).not.toContain('SECRET')
  })

  it.each([
    ['a web page', '<html></html>', 'text/html'],
    ['JSON without a verdict', '{"profile_config": {}}', 'application/x-openvpn-profile'],
    ['JSON that says ok', good('profile_config', 'dev tun'), 'application/json'],
    ['without a type', 'dev tun', ''],
  ])('is no configuration: %s', async (_what, body, type) => {
    const { api } = await portal(body, { headers: { 'content-type': type } })
    await expect(api.profileConfig('internet')).rejects.toMatchObject({ code: 'vpn-api/invalid-response' })
  })

  it('is not followed if it is a redirect, so that the token is not sent elsewhere', async () => {
    const { api, server, received } = await portal('', { status: 302, headers: { location: '/elsewhere' } })
    await expect(api.profileList()).rejects.toMatchObject({
      code: 'vpn-api/invalid-response',
      details: { call: 'profile_list', status: 302, host: new URL(server.origin).host },
    })
    expect(received).toHaveLength(1)
  })

  it('is limited in size for a configuration', async () => {
    const { api } = await portal('#'.repeat(300_000), {
      headers: { 'content-type': 'application/x-openvpn-profile' },
    })
    await expect(api.profileConfig('internet')).rejects.toMatchObject({ code: 'http/too-large' })
  })
})

describe('a refusal', () => {
  const calls: [string, (api: VpnApi) => Promise<unknown>][] = [
    ['profile_list', (api) => api.profileList()],
    ['create_keypair', (api) => api.createKeyPair('x')],
    ['profile_config', (api) => api.profileConfig('x')],
    ['check_certificate', (api) => api.checkCertificate('x')],
    ['system_messages', (api) => api.systemMessages()],
  ]

  it.each(calls)('of the token at %s deletes the tokens, and requires a login', async (_name, call) => {
    const { api, received, discarded } = await portal({ error: 'invalid_token' }, { status: 401 })
    await expect(call(api)).rejects.toMatchObject({ code: 'oauth/login-required' })
    expect(discarded).toEqual([token])
    expect(received).toHaveLength(1)
  })

  it.each(calls)(
    'of the token at %s of a location keeps the login, which is the home’s',
    async (_name, call) => {
      const more = { loginElsewhere: true } as const
      const { api, discarded } = await portal({ error: 'invalid_token' }, { status: 401, more })
      await expect(call(api)).rejects.toMatchObject({ code: 'vpn-api/refused', details: { status: 401 } })
      expect(discarded).toEqual([])
    },
  )

  it.each(calls)('with ok: false at %s has the error text of the server', async (name, call) => {
    const { api, discarded } = await portal({ [name]: { ok: false, error: 'try\n\u001b[2Jagain' } })
    await expect(call(api)).rejects.toMatchObject({
      code: 'vpn-api/refused',
      details: { call: name, status: 200, error: 'try [2Jagain' },
    })
    expect(discarded).toEqual([])
  })

  it.each([
    [{ profile_list: { ok: false } }, 200, undefined],
    [{ profile_list: { ok: false, error: { code: 1 } } }, 200, undefined],
    [{ error: 'insufficient_scope' }, 403, 'insufficient_scope'],
    [{ error: 'missing "profile_id"' }, 400, 'missing "profile_id"'],
    ['Not Found', 404, undefined],
    [{ error: 'x'.repeat(5000) }, 422, `${'x'.repeat(199)}…`],
  ])('is bounded and may be wordless: %j with status %i', async (body, status, error) => {
    const { api, discarded } = await portal(body, { status })
    const thrown = await rejection(api.profileList())
    expect(thrown).toMatchObject({ code: 'vpn-api/refused', details: { status } })
    expect((thrown as { details: { error?: string } }).details.error).toBe(error)
    expect(discarded).toEqual([])
  })

  it.each([
    [429, '120', 'service/busy', / is busy.* Try again in 2 minutes\.$/, 120],
    [503, '1', 'vpn-api/server-error', / is down for maintenance\. Try again in 1 second\.$/, 1],
    [503, '2300894574', 'vpn-api/server-error', / Try again later\.$/, undefined],
  ])('says when to try again: %i with Retry-After %s', async (status, after, code, message, seconds) => {
    const { api } = await portal({ error: 'x' }, { status, headers: { ...json, 'retry-after': after } })
    const thrown = await rejection(api.profileList())
    expect(thrown).toMatchObject({ code, message: expect.stringMatching(message) as unknown })
    expect((thrown as { details: object }).details).toHaveProperty('status', status)
    expect((thrown as { details: { retryAfterSeconds?: number } }).details.retryAfterSeconds).toBe(seconds)
  })

  it.each([
    ['profile not available or no permission', 'vpn-api/profile-unavailable'],
    ['invalid "profile_id"', 'vpn-api/profile-unavailable'],
    ['maintenance', 'vpn-api/refused'],
  ])('of a profile comes with status 200: %s', async (error, code) => {
    const { api } = await portal({ profile_config: { ok: false, error } })
    await expect(api.profileConfig('hidden')).rejects.toMatchObject({ code, details: { error } })
  })

  it.each([500, 502, 503, 599])(
    'is not reported for an internal error of the server (%i)',
    async (status) => {
      const { api, discarded } = await portal({ error: 'down' }, { status })
      await expect(api.profileList()).rejects.toMatchObject({
        code: 'vpn-api/server-error',
        details: { status },
      })
      expect(discarded).toEqual([])
    },
  )
})

it('stops when the caller cancels', async () => {
  const { api } = await portal(good('profile_list', []))
  await expect(api.profileList(AbortSignal.abort())).rejects.toMatchObject({ code: 'http/cancelled' })
})
