import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { TestClient } from '../test-client'
import type { Attachment } from './attachment'

let server: MockServer
let client: TestClient
beforeAll(async () => {
  // The clock stands still: pre-signed URLs of two listings are equal only within one second.
  const now = new Date('2026-11-20T12:00:00Z')
  server = await createMockServer({ clock: { now: () => now } })
  client = new TestClient(server)
})
afterAll(() => server.close())

const contributor = { 'x-user-id': 'tester', 'x-user-roles': 'MEMBER,CONTRIBUTOR' }

interface Page {
  data: Attachment[]
  totalCount: number
}
async function list(query = ''): Promise<Page> {
  const response = await client.get(`/v2.0.0/attachments/${query}`, contributor)
  expect(response.status).toBe(200)
  return (await response.json()) as Page
}
async function refusal(query: string, headers: Record<string, string>): Promise<unknown> {
  const response = await client.get(`/v2.0.0/attachments/${query}`, headers)
  const body = (await response.json()) as { statusCode: number; message: string; error: string }
  expect(body).toEqual({
    statusCode: response.status,
    message: expect.any(String) as string,
    error: expect.any(String) as string,
  })
  return [response.status, body.error]
}

describe('GET /attachments/', () => {
  it('has seed data of both types and states across several videos and modules', async () => {
    const { data, totalCount } = await list('?pageSize=100')
    expect(totalCount).toBeGreaterThanOrEqual(25)
    expect(totalCount).toBeLessThanOrEqual(100)
    expect(data).toHaveLength(totalCount)
    const count = (wanted: (attachment: Attachment) => boolean) => data.filter(wanted).length
    expect(count(({ type }) => type === 'EXTERNAL')).toBeGreaterThan(5)
    expect(count(({ type, status }) => type === 'INTERNAL' && status === 'COMPLETED')).toBeGreaterThan(5)
    expect(count(({ status }) => status === 'IN_PROGRESS')).toBeGreaterThan(2)
    expect(count(({ userId }) => userId === 'tester')).toBeGreaterThan(2)
    expect(count(({ type, extension }) => type === 'INTERNAL' && extension === undefined)).toBe(0)
    expect(new Set(data.flatMap(({ videos }) => videos)).size).toBeGreaterThan(3)
    expect(new Set(data.flatMap(({ modules }) => modules)).size).toBeGreaterThan(1)
    expect(new Set(data.map(({ id }) => id)).size).toBe(totalCount)
  })

  it('returns ten per page by default, and every attachment exactly once', async () => {
    const all = (await list('?pageSize=100')).data
    expect((await list()).data).toEqual(all.slice(0, 10))
    expect((await list('?page=2')).data).toEqual(all.slice(10, 20))
    expect((await list('?page=3&pageSize=7')).data).toEqual(all.slice(14, 21))
    expect(await list('?page=1000')).toEqual({ data: [], totalCount: all.length })
  })

  it('filters by author, by any of several videos, and by any of several modules', async () => {
    const all = (await list('?pageSize=100')).data
    const expectPage = async (query: string, wanted: (attachment: Attachment) => boolean) => {
      const data = all.filter(wanted)
      expect(data.length).toBeGreaterThan(0)
      expect(await list(`?pageSize=100&${query}`)).toEqual({ data, totalCount: data.length })
    }
    await expectPage('userId=tester', ({ userId }) => userId === 'tester')
    await expectPage('videos=video-1', ({ videos }) => videos.includes('video-1'))
    await expectPage(
      'videos=video-1&videos=video-3',
      ({ videos }) => videos.includes('video-1') || videos.includes('video-3'),
    )
    await expectPage(
      'videos=video-1&modules=module-1&modules=module-2',
      ({ videos, modules }) =>
        videos.includes('video-1') && (modules.includes('module-1') || modules.includes('module-2')),
    )
    expect(await list('?videos=nothing')).toEqual({ data: [], totalCount: 0 })
  })

  it.each(['pageSize=0', 'pageSize=101', 'pageSize=ten', 'page=0', 'page=-1', 'page=1.5', 'page=1&page=2'])(
    'refuses %s',
    async (query) => {
      expect(await refusal(`?${query}`, contributor)).toEqual([400, 'Bad Request'])
    },
  )

  it('answers a client that sends neither user nor roles, because both headers are optional', async () => {
    expect((await client.get('/v2.0.0/attachments/')).status).toBe(200)
  })

  it('allows only contributors and administrators', async () => {
    expect(await refusal('', { 'x-user-id': 'tester' })).toEqual([403, 'Forbidden'])
    expect(await refusal('', { 'x-user-id': 'tester', 'x-user-roles': 'MEMBER' })).toEqual([403, 'Forbidden'])
    expect(await refusal('', { 'x-user-id': 'tester', 'x-user-roles': 'KING' })).toEqual([400, 'Bad Request'])
    const administrator = await client.get('/v2.0.0/attachments/', { 'x-user-roles': 'ADMINISTRATOR' })
    expect(administrator.status).toBe(200)
  })

  it('answers unknown paths and methods in its own error format', async () => {
    expect(await refusal('unknown/path', contributor)).toEqual([404, 'Not Found'])
    const response = await fetch(`${server.attachments}/attachments`, { method: 'PUT', headers: contributor })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST'])
    expect(await response.json()).toMatchObject({ statusCode: 405, error: 'Method Not Allowed' })
  })
})
