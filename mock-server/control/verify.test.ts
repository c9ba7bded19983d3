import { beforeEach, expect, it } from 'vitest'
import { rows } from '../../scripts/slow.testing'
import { serveMock } from '../test-server'

const { server, client } = await serveMock({ autoApprove: true })
beforeEach(() => client.control('POST', '/reset'))

async function verify(body: object): Promise<[number, Record<string, unknown>]> {
  const response = await client.control('POST', '/verify', body)
  return [response.status, (await response.json()) as Record<string, unknown>]
}

it('counts the requests that match', async () => {
  await client.get('/info.json?a=1')
  await client.get('/info.json?a=2')
  expect(await verify({ match: { path: '/info.json' } })).toEqual([200, { matched: 2 }])
  expect(await verify({ match: { path: '/info.json', query: { a: '1' } }, times: 1 })).toEqual([
    200,
    { matched: 1 },
  ])
  expect((await verify({ match: { path: '/info.json' }, times: { atLeast: 1, atMost: 2 } }))[0]).toBe(200)
  expect((await verify({ match: { path: '/nothing' }, times: 0 }))[0]).toBe(200)
  expect((await verify({ match: { path: '/nothing' }, times: { atMost: 3 } }))[0]).toBe(200)
  expect((await verify({}))[0]).toBe(200)
})

it('names the nearest misses, with what is different', async () => {
  await client.get('/2.3/club')
  await client.get('/info.json?a=2', { 'x-test': 'one' })
  const [status, answer] = await verify({
    match: { method: 'post', path: '/info.json', query: { a: '2' }, headers: { 'x-test': 'two' } },
  })
  expect(status).toBe(422)
  expect(answer).toMatchObject({
    error: 'Matching requests: expected at least 1, found 0.',
    matched: 0,
    nearest: [
      { request: { path: '/info.json' }, differences: ['method: GET', 'header x-test: one'] },
      {
        request: { path: '/2.3/club' },
        differences: ['method: GET', 'path: /2.3/club', 'query a: none', 'header x-test: none'],
      },
    ],
  })
})

it('shows the newest of too many', async () => {
  for (const count of [1, 2, 3]) await client.get(`/info.json?count=${count}`)
  await client.get('/2.3/club')
  const shown = (count: number) => ({ request: { query: { count: String(count) } }, differences: [] })
  const match = { path: '/info.json' }
  expect(await verify({ match, times: 0 })).toMatchObject([
    422,
    { error: 'Matching requests: expected 0, found 3.', matched: 3, nearest: [shown(3), shown(2), shown(1)] },
  ])
  expect(await verify({ match, times: { atMost: 2 } })).toMatchObject([422, { nearest: [shown(3)] }])
  await expect(server.expectRequest(match).times(2)).rejects.toThrow(
    /found 3\.\nNearest:\n {2}GET \/info\.json$/,
  )
})

it('matches bodies and users, even of expired tokens', async () => {
  const { accessToken } = (await (
    await client.control('POST', '/tokens', { user: 'anna', expiresIn: 5 })
  ).json()) as { accessToken: string }
  await client.control('POST', '/clock', { advanceSeconds: 60 })
  expect((await client.call(accessToken, '/profile_list')).status).toBe(401)
  await client.postForm('/oauth/token', { grant_type: 'refresh_token' })
  await client.get('/v2.0.0/attachments/', { 'x-user-id': 'bram' })
  await client.get('/api/org', { authorization: `Basic ${btoa('carla:secret')}` })
  for (const match of [
    { user: 'anna', path: '/api/vpn/*' },
    { user: 'bram' },
    { user: 'carla' },
    { body: { contains: 'refresh_token' } },
  ])
    expect([match, (await verify({ match, times: 1 }))[0]]).toEqual([match, 200])
})

it('waits for requests, and no longer than it takes', async () => {
  const waiting = verify({ match: { path: '/2.3/club' }, withinMs: 60_000 })
  await client.get('/2.3/club')
  expect(await waiting).toEqual([200, { matched: 1 }])
  expect((await verify({ match: { path: '/later' }, withinMs: 20 }))[0]).toBe(422)
})

it('takes no upper bound for kept before the time is over', async () => {
  const waiting = verify({ match: { path: '/2.3/club' }, times: 0, withinMs: 60_000 })
  await client.get('/2.3/club')
  expect((await waiting)[0]).toBe(422)
})

it('takes no upper bound for kept if the rest of a long body may match', async () => {
  const body = JSON.stringify({ name: 'Long', padding: 'x'.repeat(70_000), secret: 1 })
  await client.fetch(`${server.origin}/api/orgs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  const tests = [{ contains: 'secret' }, { jsonPath: '$.secret' }, { form: { secret: { present: true } } }]
  for (const test of tests) {
    for (const times of [0, 1])
      expect(await verify({ match: { body: test }, times })).toMatchObject([
        422,
        { matched: 0, error: expect.stringContaining('64 KiB') as string },
      ])
    expect((await verify({ match: { path: '/api/org', body: test }, times: 0 }))[0]).toBe(200)
    expect((await verify({ match: { body: test }, times: { atMost: 1 } }))[0]).toBe(200)
  }
  expect((await verify({ match: { body: { contains: 'Long' } }, times: 1 }))[0]).toBe(200)
  expect((await verify({ match: { body: 'secret' }, times: 0 }))[0]).toBe(200)
})

it('takes no field for missing if the rest of a long form may have it', async () => {
  const match = (field: string) => ({ body: { form: { [field]: { present: false } } } })
  await client.postForm('/oauth/token', { first: '1', padding: 'x'.repeat(70_000), last: '1' })
  for (const times of [{ atLeast: 1 }, 1, 0])
    expect(await verify({ match: match('last'), times })).toMatchObject([
      422,
      { matched: 0, error: expect.stringContaining('64 KiB') as string },
    ])
  expect((await verify({ match: match('first'), times: 0 }))[0]).toBe(200)
  await client.postForm('/oauth/token', { first: '1' })
  expect(await verify({ match: match('last'), times: { atLeast: 1 } })).toEqual([200, { matched: 1 }])
})

it('takes no beginning of a field for its value if the rest of a long form may go on with it', async () => {
  // The journal keeps 65536 bytes of it: up to "last=ab".
  await client.postForm('/oauth/token', { padding: 'x'.repeat(65_520), last: 'abcd' })
  for (const last of ['ab', 'abcd']) {
    for (const times of [1, 0])
      expect(await verify({ match: { body: { form: { last } } }, times })).toMatchObject([
        422,
        { matched: 0, error: expect.stringContaining('64 KiB') as string },
      ])
  }
  expect((await verify({ match: { body: { form: { last: { contains: 'ab' } } } }, times: 1 }))[0]).toBe(200)
})

it('takes no upper bound for kept if an expression reads more of a body than the journal keeps', async () => {
  const send = (title: string) =>
    client.fetch(`${server.origin}/api/orgs`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, secret: 1 }),
    })
  const match = { body: { matches: 'secret' } }
  // An expression reads the first 65536 characters of a text; these take more bytes.
  await send('é'.repeat(40_000))
  expect(await verify({ match, times: 0 })).toMatchObject([
    422,
    { matched: 0, error: expect.stringContaining('64 KiB') as string },
  ])
  await client.control('DELETE', '/requests')
  await send('x'.repeat(70_000))
  expect(await verify({ match, times: 0 })).toEqual([200, { matched: 0 }])
})

it('takes no upper bound for kept if requests were dropped from the journal', async () => {
  // Bodies fill the journal with fewer requests than its 5000 entries.
  const long = { field: 'a'.repeat(64 * 1024 - 6) }
  for (let sent = 0; sent <= 256; sent += 1) await client.postForm('/oauth/token', long)
  expect((await verify({ match: { path: '/never' }, times: 0 }))[0]).toBe(422)
  await client.control('DELETE', '/requests')
  expect(await verify({ match: { path: '/never' }, times: 0 })).toEqual([200, { matched: 0 }])
})

it('takes no number for proven if an expression runs out of time, and holds the others up once', async () => {
  const text = `${'a'.repeat(40)}!`
  for (let sent = 0; sent < 8; sent += 1) await client.get('/info.json', { 'x-test': text })
  const match = { headers: { 'x-test': { matches: '^(a+)+$' } } }
  const started = performance.now()
  for (const times of rows([0, { atMost: 1 }, 1], 1))
    expect(await verify({ match, times })).toMatchObject([
      422,
      { error: 'An expression took longer than 2 seconds.' },
    ])
  // Three bounds of two seconds, instead of eight each.
  expect(performance.now() - started).toBeLessThan(30_000)
})

it('checks the order of requests', async () => {
  for (const path of ['/info.json', '/2.3/club', '/info.json', '/2.3/club?x=1']) await client.get(path)
  const [info, club] = [{ match: { path: '/info.json' } }, { match: { path: '/2.3/club' } }]
  const last = { match: { query: { x: '1' } } }
  expect(await verify({ inOrder: [club, info, last] })).toEqual([200, { matched: 3 }])
  expect(await verify({ inOrder: [info, info, info] })).toMatchObject([
    422,
    { error: 'Requests in order: expected 3, found 2; number 3 is missing.', matched: 2 },
  ])
  expect(await verify({ inOrder: [last, club] })).toMatchObject([422, { matched: 1, nearest: [] }])
  await expect(server.expectInOrder([{ path: '/info.json' }, { path: '/2.3/club' }])).resolves.toBeUndefined()
  await expect(server.expectInOrder([{ path: '/nothing' }])).rejects.toThrow('number 1 is missing')
})

it.each([
  { times: -1 },
  { inOrder: [] },
  { inOrder: [{ match: {} }], times: 1 },
  { inOrder: [{ match: {} }], match: {} },
  { times: { exactly: 1 } },
  { times: {} },
  { times: { atLeast: 2, atMost: 1 } },
  { withinMs: 'x' },
  { match: { paht: '/x' } },
  { path: '/x' },
  { match: { path: '/_mock/clock' }, times: 0 },
  { match: { method: 'DNS', body: 'x' }, times: 0 },
])('refuses %j', async (body) => {
  expect((await verify(body))[0]).toBe(400)
})
