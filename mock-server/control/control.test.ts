import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'

const now = new Date('2026-11-20T12:00:00Z')
const { server, client } = await serveMock({ autoApprove: true, clock: { now: () => now } })
beforeEach(() => client.control('POST', '/reset'))

const json = async (response: Response | Promise<Response>): Promise<unknown> => (await response).json()
async function data(call: string): Promise<unknown> {
  const { accessToken } = await client.logIn()
  const answer = (await json(client.call(accessToken, `/${call}`))) as Record<string, { data: unknown }>
  return answer[call]?.data
}

describe('/_mock', () => {
  it('returns a page for browsers and JSON for programs', async () => {
    const page = await client.get('/_mock', { accept: 'text/html' })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('Scenarios')
    for (const path of ['/_mock', '/_mock/']) {
      expect(await json(client.get(path, { accept: 'application/json' }))).toEqual({
        origin: server.origin,
        now: '2026-11-20T12:00:00.000Z',
        scenario: 'all-well',
        scenarios: [],
        discovery: server.discovery,
        tunnel: { mode: 'none' },
        profiles: ['internet', 'office'],
        faults: 0,
        requests: 0,
        worlds: [],
        options: { autoApprove: true, seed: 1 },
      })
    }
  })

  it('reports the mode none when no tunnel runs', async () => {
    expect(await json(client.control('GET', '/tunnel'))).toEqual({
      mode: 'none',
      wireguard: { mode: 'none', peers: [] },
    })
  })

  it('answers unknown calls with 404 and wrong methods with 405', async () => {
    expect((await client.control('GET', '/nope')).status).toBe(404)
    const response = await client.control('PUT', '/requests', {})
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
  })
})

describe('clock', () => {
  it('moves by seconds and to a given time', async () => {
    const move = (body: unknown) => json(client.control('POST', '/clock', body))
    expect(await move({ advanceSeconds: 3600 })).toEqual({ now: '2026-11-20T13:00:00.000Z' })
    expect(await move({ advanceSeconds: -60 })).toEqual({ now: '2026-11-20T12:59:00.000Z' })
    expect(await move({ now: '2030-01-01T00:00:00Z' })).toEqual({ now: '2030-01-01T00:00:00.000Z' })
  })

  it('refuses times outside the years 1970 to 8999', async () => {
    for (const body of [{ now: '9999-01-01T00:00:00Z' }, { now: '1969-12-31T23:59:59Z' }]) {
      expect((await client.control('POST', '/clock', body)).status).toBe(409)
    }
  })
})

describe('instance data', () => {
  it('can be set through control calls', async () => {
    const messages = [
      { type: 'notification', date_time: '2026-11-20T11:00:00Z', message: { en: 'Hello', nl: 'Hallo' } },
    ]
    await client.control('PUT', '/system-messages', messages)
    expect(await data('system_messages')).toEqual(messages)
    await client.control('PUT', '/profiles', [])
    expect(await data('profile_list')).toEqual([])
  })

  it('returns to the seed on reset, like everything else', async () => {
    const { accessToken, refreshToken } = await client.logIn()
    await client.control('PUT', '/profiles', [])
    await client.control('PUT', '/system-messages', [])
    await client.control('POST', '/clock', { advanceSeconds: 60 })
    await client.control('POST', '/faults', { fault: { status: 500 } })
    await client.control('POST', '/reset')
    expect(await json(client.control('GET', '/requests'))).toEqual([])
    expect(await json(client.control('GET', '/faults'))).toEqual([])
    expect((await client.call(accessToken, '/profile_list')).status).toBe(401)
    const refresh = { grant_type: 'refresh_token', refresh_token: refreshToken }
    expect((await client.postForm('/oauth/token', refresh)).status).toBe(400)
    expect(await data('profile_list')).toHaveLength(2)
    expect(await data('system_messages')).toHaveLength(3)
    expect(await json(client.get('/_mock', { accept: 'application/json' }))).toMatchObject({
      now: '2026-11-20T12:00:00.000Z',
    })
  })
})

describe('certificates/revoke', () => {
  it('returns the revoked names, and 404 for an unknown name', async () => {
    const { accessToken } = await client.logIn()
    await client.call(accessToken, '/create_keypair', { method: 'POST' })
    await client.call(accessToken, '/create_keypair', { method: 'POST' })
    const { revoked } = (await json(client.control('POST', '/certificates/revoke', {}))) as {
      revoked: string[]
    }
    expect(revoked).toHaveLength(2)
    const again = await client.control('POST', '/certificates/revoke', { commonName: revoked[0] })
    expect(again.status).toBe(404)
    expect(await json(client.control('POST', '/certificates/revoke'))).toEqual({ revoked: [] })
  })
})

describe('bad control calls', () => {
  it.each([
    ['POST', '/clock', {}],
    ['POST', '/clock', { advanceSeconds: '10' }],
    ['POST', '/clock', { advanceSeconds: 1e300 }],
    ['POST', '/clock', { now: 'tomorrow' }],
    ['POST', '/tokens/revoke', {}],
    ['POST', '/tokens/revoke', { kind: 'refresh' }],
    ['POST', '/certificates/revoke', { commonName: 7 }],
    ['PUT', '/profiles', {}],
    ['PUT', '/profiles', [{ profile_id: 'a b', display_name: 'x' }]],
    ['PUT', '/profiles', [{ profile_id: 'a', display_name: { en: 1 } }]],
    ['PUT', '/system-messages', [{ message: 'x', date_time: 'yesterday' }]],
    ['POST', '/faults', {}],
    ['POST', '/faults', { fault: {} }],
    ['POST', '/faults', { fault: { status: 99 } }],
    ['POST', '/faults', { fault: { status: 500, delayMs: -5 } }],
    ['POST', '/faults', { fault: { delayMs: { uniform: [5] } } }],
    ['POST', '/faults', { fault: { status: 500, body: 'a', bodyBase64: 'YQ==' } }],
    ['POST', '/faults', { fault: { bodyBase64: '*' } }],
    ['POST', '/faults', { probability: 2, fault: { status: 500 } }],
    ['POST', '/faults', { sequence: [] }],
    ['POST', '/faults', { times: 2, sequence: [{ fault: { status: 500 } }] }],
    ['POST', '/faults', { fault: { status: 500 }, sequence: [{}] }],
    ['POST', '/faults', { fault: { headers: { 'a b': 'x' } } }],
    ['POST', '/faults', { fault: { headers: { a: 'line\nbreak' } } }],
    ['POST', '/faults', { times: 0, fault: { reset: true } }],
  ])('%s %s %j is answered 400 with a reason', async (method, path, body) => {
    const response = await client.control(method, path, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/\w+/) as string })
  })

  it('are answered 400 when they are not JSON', async () => {
    const response = await fetch(`${server.control}/clock`, { method: 'POST', body: '{"advanceSeconds": ' })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'The body is not JSON.' })
  })
})

it.each([
  ['GET', '/requests?status=500'],
  ['GET', '/requests?path=/a/*/b'],
  ['GET', '/requests?path=/a/{id}'],
  ['GET', '/requests?path=info.json'],
  ['GET', '/requests?method=FETCH'],
  ['GET', '/requests?limit=1&limit=2'],
  ['DELETE', '/requests?path=/info.json'],
  ['GET', '/faults?path=/info.json'],
  ['GET', '/scenarios?part=vpn'],
  ['GET', '?format=json'],
  ['GET', '/events?since=1'],
  ['GET', '/openapi.json?pretty=1'],
  ['POST', '/reset', { only: 'faults' }],
  ['POST', '/scenarios/offline', { times: 1 }],
  ['POST', '/tokens', { userId: 'x' }],
  ['POST', '/clock', { advanceSeconds: 1, then: 2 }],
  ['PUT', '/profiles', [{ profile_id: 'a', display_name: 'A', default_gatway: true }]],
  ['PUT', '/system-messages', [{ date_time: '2026-01-01T00:00:00Z', message: 'x', kind: 'y' }]],
  ['PUT', '/portal', {}],
])('refuses input that would have no effect: %s %s %j', async (method, path, body?: unknown) => {
  const response = await client.control(method, path, body)
  expect([response.status, await response.json()]).toEqual([400, { error: expect.any(String) as string }])
})
