import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { affects, isPattern, valuesAt } from './request-match'

const { server, client } = await serveMock({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } })
beforeEach(() => client.control('POST', '/reset'))

const teapot = { status: 418 }

async function add(match: object, fault: object = teapot): Promise<void> {
  const response = await client.control('POST', '/faults', { match, fault })
  expect(await response.json()).toMatchObject({ ok: true })
}

const status = async (path: string, headers?: Record<string, string>) =>
  (await client.get(path, headers)).status

function create(body: unknown): Promise<Response> {
  return fetch(`${server.attachments}/attachments/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}
const link = (title: string) => ({ type: 'EXTERNAL', title, url: 'https://a.example/' })

describe('a fault', () => {
  it('matches headers by value, part, expression and presence', async () => {
    for (const [test, value] of [
      ['exact', 'exact'],
      [{ contains: 'eta' }, 'beta'],
      [{ matches: '^v[0-9]+$' }, 'v12'],
      [{ present: true }, 'anything'],
    ] as const) {
      await client.control('DELETE', '/faults')
      await add({ headers: { 'X-Test': test } })
      expect([test, await status('/info.json', { 'x-test': value })]).toEqual([test, 418])
      expect([test, await status('/info.json')]).toEqual([test, 200])
    }
    await client.control('DELETE', '/faults')
    await add({ headers: { authorization: { present: false } } })
    expect(await status('/info.json')).toBe(418)
    expect(await status('/info.json', { authorization: 'Bearer x' })).toBe(200)
  })

  it('matches query parameters by expression', async () => {
    await add({ path: '/2.3/search', query: { q: { matches: 'vpn|dns' } } })
    expect(await status('/2.3/search?q=dns')).toBe(418)
    expect(await status('/2.3/search?q=ipv6')).toBe(200)
  })

  it('matches a JSON body by path', async () => {
    await add({ method: 'POST', body: { jsonPath: '$.type', equals: 'INTERNAL' } })
    await add({ body: { jsonPath: '$.title', matches: '^Draft' } })
    expect((await create({ type: 'INTERNAL', title: 'A', extension: 'pdf' })).status).toBe(418)
    expect((await create(link('Draft 1'))).status).toBe(418)
    expect((await create(link('Final'))).status).toBe(201)
  })

  it('matches a form by its text, and prevents processing', async () => {
    const { refreshToken } = (await (await client.control('POST', '/tokens')).json()) as {
      refreshToken: string
    }
    await client.control('POST', '/faults', {
      match: { body: { contains: 'grant_type=refresh_token' } },
      times: 1,
      fault: { status: 503 },
    })
    expect((await client.postForm('/oauth/token', { grant_type: 'password' })).status).toBe(400)
    expect((await client.refresh(refreshToken)).status).toBe(503)
    expect((await client.refresh(refreshToken)).status).toBe(200)
  })

  it('for a body applies in its order among the others, and to unreadable bodies', async () => {
    await add({ method: 'POST' }, teapot)
    await add({ body: { contains: 'broken' } }, { status: 599 })
    expect((await create('{"broken')).status).toBe(599)
    expect((await create(link('whole'))).status).toBe(418)
  })

  it.each([
    { headers: { a: { matches: '(' } } },
    { headers: { a: { matches: 'x'.repeat(501) } } },
    { headers: { a: { other: 1 } } },
    { body: { jsonPath: 'no path' } },
    { body: { jsonPath: '$.a[?' } },
    { body: { jsonPath: '$.a', equals: 1, matches: 'a' } },
    { cookies: {} },
  ])('is refused with a reason if it matches %j', async (match) => {
    const response = await client.control('POST', '/faults', { match, fault: teapot })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^match/) as string },
    ])
  })
})

describe('a regular expression', () => {
  it.each([{ matches: '^(a+)+$' }, { jsonPath: '$[?search(@, "^(a+)+$")]' }])(
    'that would backtrack for ages ends soon, without a match: %j',
    (body) => {
      const request = (text: string) => ({
        method: 'POST',
        path: '/',
        query: '',
        headers: {},
        user: () => undefined,
        body: 'matches' in body ? text : JSON.stringify([text]),
      })
      expect(affects({ body }, request(`${'a'.repeat(40)}!`))).toBe(false)
      expect(affects({ body }, request('aaaa'))).toBe(true)
    },
  )

  it('is told from other text', () => {
    expect([isPattern('a+'), isPattern('(')]).toEqual([true, false])
  })
})

it.each([
  ['$', [{ a: [{ b: 1 }, { b: 2 }], 'x y': null }]],
  ['$.a[0].b', [1]],
  ['$.a[*].b', [1, 2]],
  ["$['x y']", [null]],
  ['$.*', [[{ b: 1 }, { b: 2 }], null]],
  ['$.a[7]', []],
  ['$.constructor', []],
  ['$.a.length', []],
])('finds the values at %s', (path, expected) => {
  expect(valuesAt('{"a":[{"b":1},{"b":2}],"x y":null}', path)).toEqual(expected)
})

describe('a match that could match nothing', () => {
  it.each([
    { path: '/2.3/*/club' },
    { path: '*/club' },
    { path: '/v2.0.0/attachments/{id}' },
    { path: '/v2.0.0/attachments/:id' },
    { path: '/info.json?a=1' },
    { path: '/info.json#top' },
    { path: 'info.json' },
    { path: '/caf\u00e9' },
    { path: '/two words' },
    { paths: '/info.json' },
    { method: 'FETCH' },
    { headers: { 'no header': 'x' } },
    { query: 'a=1' },
  ])('is refused with the name of its field: %j', async (match) => {
    const response = await client.control('POST', '/faults', { match, fault: teapot })
    expect(response.status).toBe(400)
    expect(((await response.json()) as { error: string }).error).toContain(Object.keys(match)[0])
  })

  it.each(['*', '/', '/*', '//info.json', '/info.*', '/2.3/search', '/a%20b/~c;d=1,e:f@g'])(
    'is not the path %s',
    (path) => add({ path }),
  )
})
