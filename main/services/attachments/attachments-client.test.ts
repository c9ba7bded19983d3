import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { CausewayError } from '../../errors'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection, startTestServer, type TestServer } from '../../platform/http/test-server.testing'
import type { AttachmentsClient } from './attachments-client'
import { createAttachmentsClient } from './create-attachments-client'

const http = createHttpClient()
const now = () => Date.parse('2026-11-21T12:00:00Z')
const attachment = {
  id: 'a1',
  userId: 'tester',
  url: 'https://example.org/paper',
  status: 'COMPLETED',
  type: 'EXTERNAL',
  title: 'A paper',
  videos: ['v1'],
  modules: [],
}

function clientAt(baseUrl: string, options: object = {}): AttachmentsClient {
  return createAttachmentsClient({ http, baseUrl, now, ...options })
}

async function service(
  body: unknown,
  status = 200,
  headers: Record<string, string> = {},
): Promise<TestServer & { client: AttachmentsClient }> {
  const server = await startTestServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return { ...server, client: clientAt(`${server.origin}/v2.0.0`) }
}

describe('reading answers', () => {
  it.each([
    ['data', { data: [attachment], totalCount: 25 }],
    ['items', { items: [attachment], totalCount: 25 }],
    ['fields of tomorrow', { data: [{ ...attachment, size: 1 }], totalCount: 25, next: 2 }],
    [
      'null for what is not there',
      { data: [{ ...attachment, description: null, extension: null }], totalCount: 25 },
    ],
  ])('reads a page in the forms of the document and of a known server: %s', async (_what, body) => {
    const { client } = await service(body)
    expect(await client.list()).toEqual({ data: [attachment], totalCount: 25, unreadable: 0 })
  })

  it("sends the query with lists as repeated parameters, and the caller's identity", async () => {
    const { origin, requests } = await service({ data: [], totalCount: 0 })
    const identity = { userId: 'tester', roles: ['MEMBER', 'CONTRIBUTOR'] }
    const client = clientAt(`${origin}/v2.0.0`, { identity })
    await client.list({ page: 2, pageSize: 5, userId: 'a&b', videos: ['v1', 'v2'], modules: ['m1'] })
    await clientAt(`${origin}/v2.0.0`).list()
    await client.forVideo('a/b c?')
    expect(requests.map(({ url }) => url)).toEqual([
      '/v2.0.0/attachments/?pageSize=5&page=2&userId=a%26b&videos=v1&videos=v2&modules=m1',
      '/v2.0.0/attachments/',
      '/v2.0.0/attachments/video/a%2Fb%20c%3F',
    ])
    expect(requests[0]?.headers).toMatchObject({
      'x-user-id': 'tester',
      'x-user-roles': 'MEMBER,CONTRIBUTOR',
    })
    expect(requests[1]?.headers).not.toHaveProperty('x-user-id')
  })

  it.each([
    ['no JSON', '<html>'],
    ['a bare list', [attachment]],
    ['no count', { data: [attachment] }],
    ['an invalid count', { data: [], totalCount: -1 }],
  ])('rejects any other answer as a page: %s', async (_what, body) => {
    const { client } = await service(body)
    await expect(client.list()).rejects.toMatchObject({ code: 'attachments/invalid-response' })
  })

  it('leaves out and counts records that cannot be read', async () => {
    const bad = [
      { ...attachment, videos: null },
      { ...attachment, status: 'LOST' },
      { ...attachment, id: undefined },
      null,
      'text',
    ]
    const { client } = await service({ data: [...bad, attachment], totalCount: 6 })
    const page = { data: [attachment], totalCount: 6, unreadable: 5 }
    expect([await client.list({ pageSize: 100 }), await client.forVideo('v1')]).toEqual([page, page])
  })

  it('does not follow a redirect', async () => {
    const { client, requests } = await service('', 302, { location: '/elsewhere' })
    await expect(client.list()).rejects.toMatchObject({
      code: 'attachments/invalid-response',
      details: { status: 302 },
    })
    expect(requests).toHaveLength(1)
  })

  it.each([
    'http://storage.example.org/x',
    'https://user:secret@storage.example.org/x',
    'file:///etc/passwd',
    '/x',
    '',
  ])('rejects the upload address %s', async (url) => {
    const { client } = await service({ url }, 201)
    const announced = client.announceFile({ title: 'x', extension: 'txt' })
    await expect(announced).rejects.toMatchObject({ code: 'attachments/invalid-response' })
  })

  it('rejects an upload address on this computer from a remote service', async () => {
    const text = JSON.stringify({ url: 'http://127.0.0.1:631/' })
    const client = createAttachmentsClient({
      http: { send: (url) => Promise.resolve({ url, status: 201, headers: new Headers(), text }) },
      baseUrl: 'https://vpn.example.org/v2.0.0',
      now,
    })
    const announced = client.announceFile({ title: 'x', extension: 'txt' })
    await expect(announced).rejects.toMatchObject({ code: 'attachments/invalid-response' })
  })

  it('returns a valid value or throws a CausewayError for any answer', async () => {
    let body = ''
    const server = await startTestServer((_request, response) => response.end(body))
    const client = clientAt(server.origin)
    const near = fc.record(
      {
        ...Object.fromEntries(Object.keys(attachment).map((key) => [key, fc.jsonValue()])),
        type: fc.constantFrom('INTERNAL', 'EXTERNAL', null),
        status: fc.constantFrom('COMPLETED', 'IN_PROGRESS', 7),
      },
      { requiredKeys: [] },
    )
    const anything = fc.oneof(
      fc.json(),
      fc.string(),
      near.map((value) => JSON.stringify(value)),
      fc.array(near).map((data) => JSON.stringify({ data, totalCount: data.length })),
    )
    await fc.assert(
      fc.asyncProperty(anything, async (answer) => {
        body = answer
        for (const call of [client.list(), client.show('x'), client.freshFile('x')]) {
          const outcome: unknown = await call.catch((error: unknown) => error)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(CausewayError)
        }
      }),
      { numRuns: 60, seed: 1 },
    )
  })
})

describe('refusals', () => {
  it.each([
    [401, 'attachments/forbidden', 'who are you', undefined],
    [403, 'attachments/forbidden', { message: 'the role is\nmissing' }, 'the role is missing'],
    [404, 'attachments/not-found', { message: 'gone' }, 'gone'],
    [
      400,
      'attachments/refused',
      { message: ['url must be a URL', 'no title'] },
      'url must be a URL, no title',
    ],
    [409, 'attachments/refused', { message: 'taken' }, 'taken'],
    [500, 'attachments/unavailable', { message: { no: 'text' } }, undefined],
  ])("reports status %i with the server's message", async (status, code, body, error) => {
    const { client } = await service(body, status)
    const thrown = await rejection(client.remove('a'))
    expect(thrown).toMatchObject({ code, details: { status } })
    expect((thrown as CausewayError).details?.error).toBe(error)
  })

  it.each([
    ['17', 17],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60],
    ['soon', undefined],
  ])('reads the retry time %s', async (header, seconds) => {
    const { client } = await service({}, 429, { 'retry-after': header })
    const thrown = await rejection(client.list())
    expect((thrown as CausewayError).details?.retryAfterSeconds).toBe(seconds)
  })

  it.each([
    [429, { 'retry-after': '1' }, /is busy.*Try again in 1 second\./],
    [500, {}, /has an internal error.*Try again later\./],
    [503, { 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, /has an internal error.*Try again later\./],
  ])('reports status %i as unavailable', async (status, headers, sentence) => {
    const { client } = await service({}, status, headers)
    const thrown = await rejection(client.list())
    expect(thrown).toMatchObject({ code: 'attachments/unavailable', details: { status } })
    expect(String(thrown)).toMatch(sentence)
  })
})

describe('invalid requests', () => {
  const nowhere = clientAt('http://127.0.0.1:1/v2.0.0')
  it.each<[field: string, call: () => Promise<unknown>]>([
    ['title', () => nowhere.addLink({ title: ' ', url: 'https://example.org/' })],
    ['url', () => nowhere.addLink({ title: 'x', url: 'javascript:alert(1)' })],
    ['url', () => nowhere.addLink({ title: 'x', url: 'https://u:secret@example.org/' })],
    ['url', () => nowhere.edit('a', { type: 'EXTERNAL', title: 'x', url: 'data:text/html,x' })],
    ['extension', () => nowhere.announceFile({ title: 'x', extension: '.pdf' })],
    ['extension', () => nowhere.replaceFile('a', { title: 'x', extension: '' })],
    ['id', () => nowhere.remove('..')],
    ['id', () => nowhere.show('')],
    ['id', () => nowhere.show('\ud800')],
    ['videoId', () => nowhere.forVideo('.')],
    ['page', () => nowhere.list({ page: 0 })],
    ['pageSize', () => nowhere.list({ pageSize: 1.5 })],
    ['videos', () => nowhere.addLink({ title: 'x', url: 'https://example.org/', videos: [''] })],
  ])('rejects an invalid %s without sending a request', async (field, call) => {
    const thrown = await rejection(call())
    expect(thrown).toMatchObject({ code: 'attachments/invalid-request', details: { field } })
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain('secret')
  })
})

describe('an independent server', () => {
  let server: MockServer
  beforeAll(async () => {
    server = await startTestMock()
    return () => server.close()
  })
  const tester = { userId: 'tester', roles: ['CONTRIBUTOR'] }

  async function control(path: string, body: object = {}): Promise<void> {
    const answer = await fetch(`${server.control}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.ok).toBe(true)
  }
  interface Sent {
    readonly method: string
    readonly path: string
    readonly query: object
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  /** Returns the requests since the last call: what comes after the version, with the query, and the body. */
  async function sent(): Promise<[call: string, ...queryAndBody: unknown[]][]> {
    const journal = (await (await fetch(`${server.control}/requests`)).json()) as Sent[]
    await fetch(`${server.control}/requests`, { method: 'DELETE' })
    for (const { headers } of journal)
      expect(headers).toMatchObject({ 'x-user-id': 'tester', 'x-user-roles': 'CONTRIBUTOR' })
    return journal.map(({ method, path, query, body }) => [
      `${method} ${path.replace('/v2.0.0', '')}`,
      query,
      ...(body === null ? [] : [JSON.parse(body) as unknown]),
    ])
  }

  it('gets exactly the documented requests, and refused links are left out', async () => {
    await control('/scenarios/attachments-strict')
    const client = clientAt(server.attachments, { identity: tester })
    await sent()
    const link = { type: 'EXTERNAL', title: 'A', url: 'https://example.org/' }
    const added = await client.addLink({ ...link, videos: ['v1'], modules: ['m1'] })
    expect(added).toMatchObject({ title: 'A', videos: [], modules: [] })
    const create = 'POST /attachments/'
    expect(await sent()).toEqual([
      [create, {}, { ...link, videos: ['v1'], modules: ['m1'] }],
      [create, {}, link],
    ])
    const file = { title: 'C', extension: 'txt' }
    const announced = await client.announceFile({ ...file, modules: ['m1'] })
    expect(announced).toMatchObject({ withoutLinks: true })
    expect(await client.announceFile(file)).not.toHaveProperty('withoutLinks')
    expect(await sent()).toEqual([
      [create, {}, { type: 'INTERNAL', ...file, modules: ['m1'] }],
      [create, {}, { type: 'INTERNAL', ...file }],
      [create, {}, { type: 'INTERNAL', ...file }],
    ])

    const one = `/attachments/${added.id}`
    const edit = { type: 'EXTERNAL', title: 'B' } as const
    expect(await client.edit(added.id, { ...edit, videos: ['v1'] })).toMatchObject({ title: 'B' })
    await client.edit(added.id, { ...edit, description: '', url: 'https://example.org/b' })
    expect(await client.show(added.id)).toMatchObject({ title: 'B', url: 'https://example.org/b' })
    expect(await client.replaceFile(added.id, file)).toMatchObject({ attachmentId: added.id })
    expect(await client.edit(added.id, { type: 'INTERNAL', title: 'D' })).toMatchObject({ title: 'D' })
    await client.remove(added.id)
    expect(await sent()).toEqual([
      [`PATCH ${one}`, {}, { ...edit, videos: ['v1'] }],
      [`PATCH ${one}`, {}, edit],
      [`PATCH ${one}`, {}, { ...edit, description: '', url: 'https://example.org/b' }],
      [`GET ${one}`, {}],
      [`PATCH ${one}`, {}, { type: 'INTERNAL', ...file }],
      [`PATCH ${one}`, {}, { type: 'INTERNAL', title: 'D' }],
      [`DELETE ${one}`, {}],
    ])

    await client.list({ page: 2, pageSize: 5, userId: 'a', videos: ['v 1', 'v2'], modules: ['m1'] })
    await client.forVideo('v/1')
    expect(await sent()).toEqual([
      ['GET /attachments/', { pageSize: '5', page: '2', userId: 'a', videos: ['v 1', 'v2'], modules: 'm1' }],
      ['GET /attachments/video/v%2F1', {}],
    ])
    await control('/scenarios/all-well')
  })

  it('gets a request with links only once if it refuses anything else', async () => {
    await control('/faults', { match: { method: 'POST' }, times: 1, fault: { status: 400, body: {} } })
    const client = clientAt(server.attachments, { identity: tester })
    await sent()
    const link = { title: 'A', url: 'https://example.org/', videos: ['v1'] }
    expect(await rejection(client.addLink(link))).toMatchObject({ code: 'attachments/refused' })
    expect((await sent()).map(([call]) => call)).toEqual(['POST /attachments/'])
  })

  it('lists attachments by page, video and module', async () => {
    const client = clientAt(server.attachments, { identity: tester })
    const { data, totalCount } = await client.list({ pageSize: 100 })
    expect(totalCount).toBe(data.length)
    const video = data.find(({ videos }) => videos.length > 0)?.videos[0] ?? ''
    const filtered = await client.list({ videos: [video], pageSize: 3 })
    expect(filtered.data.every(({ videos }) => videos.includes(video))).toBe(true)
    expect((await client.forVideo(video)).totalCount).toBe(filtered.totalCount)
  })

  it.each([false, true])(
    'creates, reads, changes and deletes a link (whole answers: %s)',
    async (wholeEntity) => {
      await control('/attachments/variant', { wholeEntity })
      const client = clientAt(server.attachments)
      const url = 'https://example.org/a?b=c'
      const added = await client.addLink({ title: 'A', url, description: 'About', videos: ['v'] })
      expect(added).toMatchObject({ type: 'EXTERNAL', status: 'COMPLETED', url, videos: ['v'] })
      expect(await client.show(added.id)).toEqual(added)
      await expect(client.freshFile(added.id)).rejects.toMatchObject({ code: 'attachments/not-a-file' })
      const edited = await client.edit(added.id, { type: 'EXTERNAL', title: 'B', description: '' })
      expect(edited).toMatchObject({ title: 'B', description: '', url })
      await client.remove(added.id)
      await expect(client.show(added.id)).rejects.toMatchObject({ code: 'attachments/not-found' })
    },
  )

  it('lets a member read but not list, and only the author delete', async () => {
    const mine = await clientAt(server.attachments, { identity: tester }).addLink({
      title: 'Mine',
      url: 'https://example.org/',
    })
    const member = clientAt(server.attachments, { identity: { userId: 'm', roles: ['MEMBER'] } })
    await expect(member.list()).rejects.toMatchObject({ code: 'attachments/forbidden' })
    expect(await member.show(mine.id)).toEqual(mine)
    const other = clientAt(server.attachments, { identity: { userId: 'o', roles: ['CONTRIBUTOR'] } })
    await expect(other.remove(mine.id)).rejects.toMatchObject({
      code: 'attachments/forbidden',
      details: { status: 403 },
    })
  })
})

it('retries a read after a gateway error, but never a change', async () => {
  const answers = [502, 200, 503]
  const server = await startTestServer((request, response) => {
    request.resume()
    response.writeHead(answers.shift() ?? 200).end(JSON.stringify({ data: [], totalCount: 0 }))
  })
  const client = clientAt(server.origin)
  expect(await client.list()).toEqual({ data: [], totalCount: 0, unreadable: 0 })
  await expect(client.remove('x')).rejects.toMatchObject({ details: { status: 503 } })
  expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'DELETE'])
})
