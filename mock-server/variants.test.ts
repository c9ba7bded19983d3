import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from './server'
import { TestClient } from './test-client'

const json = { 'content-type': 'application/json' }
const link = JSON.stringify({
  type: 'EXTERNAL',
  title: 'A link',
  url: 'https://www.example.org/a',
  videos: ['v-1'],
})

describe.each([
  ['http', undefined],
  ['https', 'generated'],
] as const)('variants over %s', (_scheme, tls) => {
  let server: MockServer
  let client: TestClient
  beforeAll(async () => {
    const now = new Date('2026-11-20T12:00:00Z')
    server = await createMockServer({ autoApprove: true, api: '3', tls, clock: { now: () => now } })
    client = new TestClient(server)
  })
  afterAll(() => server.close())
  afterEach(() => client.control('POST', '/reset'))

  const attachments = (path: string, headers: Record<string, string> = {}) =>
    client.get(`/v2.0.0/attachments${path}`, headers)
  const create = (headers: Record<string, string> = {}) =>
    client.fetch(`${server.attachments}/attachments/`, {
      method: 'POST',
      headers: { ...json, ...headers },
      body: link,
    })
  const idOf = async (response: Response) => ((await response.json()) as { id: string }).id
  const status = async (response: Promise<Response>) => (await response).status

  it('reads roles from a JSON array', async () => {
    const [list, array] = ['CONTRIBUTOR,MEMBER', '["CONTRIBUTOR","MEMBER"]'].map((roles) => ({
      'x-user-id': 'anna',
      'x-user-roles': roles,
    }))
    expect([await status(create(list)), await status(create(array))]).toEqual([201, 400])
    await client.scenario('attachments-roles-as-json')
    expect([await status(create(list)), await status(create(array))]).toEqual([400, 201])
    for (const roles of ['[]', '["MEMBER"]']) {
      expect(await status(create({ 'x-user-id': 'anna', 'x-user-roles': roles }))).toBe(403)
    }
    expect(await status(create({ 'x-user-roles': '["BOSS"]' }))).toBe(400)
  })

  it('checks no roles', async () => {
    const nobody = { 'x-user-id': 'nobody', 'x-user-roles': 'MEMBER' }
    const id = await idOf(await create())
    const remove = () =>
      client.fetch(`${server.attachments}/attachments/${id}`, { method: 'DELETE', headers: nobody })
    expect([await status(create(nobody)), await status(remove())]).toEqual([403, 403])
    await client.scenario('attachments-roles-unchecked')
    expect([await status(create(nobody)), await status(remove())]).toEqual([201, 204])
  })

  it('filters by names with brackets', async () => {
    await create()
    const count = async (query: string) => {
      const response = await attachments(`/?${query}`)
      return response.status === 200
        ? ((await response.json()) as { totalCount: number }).totalCount
        : response.status
    }
    expect(await count('videos=v-1')).toBe(1)
    await client.scenario('attachments-bracket-filters')
    expect(await count('videos[]=v-1')).toBe(1)
    expect(await count('videos%5B%5D=v-1&videos[]=v-2')).toBe(1)
    expect(await count('videos[]=v-2&modules[]=m')).toBe(0)
    expect(await count('videos=v-1')).toBe(400)
  })

  it('completes links later', async () => {
    await client.scenario('attachments-links-in-progress')
    const created = (await (await create()).json()) as { id: string; status: string }
    expect(created.status).toBe('IN_PROGRESS')
    const listed = async () => {
      const { data } = (await (await attachments('/?videos=v-1')).json()) as { data: { status: string }[] }
      return data.map((attachment) => attachment.status)
    }
    expect([await listed(), await status(attachments(`/${created.id}`))]).toEqual([['IN_PROGRESS'], 404])
    await client.control('POST', '/clock', { advanceSeconds: 11 })
    expect([await listed(), await status(attachments(`/${created.id}`))]).toEqual([['COMPLETED'], 200])
  })

  it('answers a creation with 200', async () => {
    await client.scenario('attachments-created-with-200')
    expect(await status(create())).toBe(200)
    const variant = { createdStatus: 201 }
    expect(await status(client.control('POST', '/attachments/variant', variant))).toBe(200)
    expect(await status(create())).toBe(201)
  })

  it('reads content by POST, with a form, JSON or a query', async () => {
    const post = (path: string, body?: string, headers = {}) =>
      client.fetch(`${server.content}/2.3${path}`, { method: 'POST', headers, body })
    await client.scenario('content-reads-by-get-only')
    expect(await status(post('/club'))).toBe(405)
    await client.scenario('all-well')
    const expected = await (await client.get('/2.3/club?count=2&offset=1')).json()
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    for (const response of [
      await post('/club?count=2&offset=1'),
      await post('/club', 'count=2&offset=1', form),
      await post('/club', '{"count":2,"offset":"1"}', json),
    ]) {
      expect([response.status, await response.json()]).toEqual([200, expected])
    }
    const wrong = await post('/club', '{"count":0}', json)
    expect([wrong.status, await wrong.json()]).toEqual([
      400,
      { error: { code: 400, message: 'count: must be a whole number from 1 to 50' } },
    ])
    expect(await status(post('/club/item', 'entryId=999999', form))).toBe(404)
    expect(await status(post('/search', '[]', json))).toBe(400)
    const type = await client.get('/2.3/search?q=a&type=2')
    expect(await type.text()).toContain('type: must be 1"')
  })

  it('leaves AllowedIPs out', async () => {
    const { accessToken } = await client.logIn()
    const form = { profile_id: 'wireguard-only', public_key: Buffer.alloc(32, 7).toString('base64') }
    const text = async () => (await client.connect(accessToken, form)).text()
    expect(await text()).toContain('\nAllowedIPs = ')
    await client.scenario('wireguard-without-allowed-ips')
    const without = await text()
    expect(without).not.toContain('AllowedIPs')
    expect(without).toMatch(/\[Peer\]\nPublicKey = .*\nEndpoint = /)
  })
})
