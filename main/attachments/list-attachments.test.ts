import { expect, it, onTestFinished } from 'vitest'
import { createMockServer } from '../../mock-server/server'
import { createHttpClient } from '../http/http-client'
import { rejection, startTestServer, type TestServer } from '../http/test-server.testing'
import { listAttachments } from './list-attachments'

const http = createHttpClient()
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

function service(body: unknown, status = 200): Promise<TestServer> {
  return startTestServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

it.each([
  ['data', { data: [attachment], totalCount: 25 }],
  ['items', { items: [attachment], totalCount: 25 }],
  ['fields of tomorrow', { data: [{ ...attachment, size: 1 }], totalCount: 25, next: 2 }],
])('lists a page as the document and as a known server writes it: %s', async (_what, body) => {
  const { origin } = await service(body)
  const page = await listAttachments({ http, baseUrl: `${origin}/v2.0.0`, query: {} })
  expect(page).toEqual({ data: [attachment], totalCount: 25 })
})

it('asks for what was wanted, with lists as repeated parameters, and says who asks', async () => {
  const { origin, requests } = await service({ data: [], totalCount: 0 })
  await listAttachments({
    http,
    baseUrl: `${origin}/v2.0.0`,
    query: { page: 2, pageSize: 5, userId: 'a&b', videos: ['v1', 'v2'], modules: ['m1'] },
    identity: { userId: 'tester', roles: ['MEMBER', 'CONTRIBUTOR'] },
  })
  await listAttachments({ http, baseUrl: `${origin}/v2.0.0`, query: {} })
  expect(requests.map(({ url }) => url)).toEqual([
    '/v2.0.0/attachments/?pageSize=5&page=2&userId=a%26b&videos=v1&videos=v2&modules=m1',
    '/v2.0.0/attachments/',
  ])
  expect(requests[0]?.headers).toMatchObject({ 'x-user-id': 'tester', 'x-user-roles': 'MEMBER,CONTRIBUTOR' })
  expect(requests[1]?.headers).not.toHaveProperty('x-user-id')
})

it.each([
  ['no JSON', '<html>'],
  ['a bare list', [attachment]],
  ['no count', { data: [attachment] }],
  ['a count that is none', { data: [], totalCount: -1 }],
  ['an unknown status', { data: [{ ...attachment, status: 'LOST' }], totalCount: 1 }],
  ['no title', { data: [{ ...attachment, title: undefined }], totalCount: 1 }],
  ['videos that are no list', { data: [{ ...attachment, videos: 'v1' }], totalCount: 1 }],
])('does not take anything else for a page: %s', async (_what, body) => {
  const { origin } = await service(body)
  await expect(listAttachments({ http, baseUrl: origin, query: {} })).rejects.toMatchObject({
    code: 'attachments/invalid-response',
  })
})

it('does not follow a redirect', async () => {
  const { origin, requests } = await service('', 302)
  await expect(listAttachments({ http, baseUrl: origin, query: {} })).rejects.toMatchObject({
    code: 'attachments/invalid-response',
    details: { status: 302 },
  })
  expect(requests).toHaveLength(1)
})

it.each([
  [403, { statusCode: 403, message: 'the role is\nmissing', error: 'Forbidden' }, 'the role is missing'],
  [401, 'who are you', undefined],
  [500, { message: { no: 'text' } }, undefined],
])('tells a refusal in the words of the server, if any (%i)', async (status, body, error) => {
  const { origin } = await service(body, status)
  const thrown = await rejection(listAttachments({ http, baseUrl: origin, query: {} }))
  expect(thrown).toMatchObject({ code: 'attachments/refused', details: { status } })
  expect((thrown as { details: { error?: string } }).details.error).toBe(error)
})

it('lists the attachments of a server written independently of it', async () => {
  const server = await createMockServer()
  onTestFinished(() => server.close())
  const identity = { userId: 'tester', roles: ['CONTRIBUTOR'] } as const
  const baseUrl = server.attachments
  const { data, totalCount } = await listAttachments({ http, baseUrl, identity, query: { pageSize: 100 } })
  expect(totalCount).toBe(data.length)
  expect(totalCount).toBeGreaterThanOrEqual(25)

  const video = data.find(({ videos }) => videos.length > 0)?.videos[0] ?? ''
  const ofVideo = await listAttachments({ http, baseUrl, identity, query: { videos: [video], pageSize: 3 } })
  expect(ofVideo.data.every(({ videos }) => videos.includes(video))).toBe(true)

  const member = { userId: 'tester', roles: ['MEMBER'] } as const
  await expect(listAttachments({ http, baseUrl, identity: member, query: {} })).rejects.toMatchObject({
    code: 'attachments/refused',
    details: { status: 403 },
  })
})
