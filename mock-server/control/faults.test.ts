import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { TestClient } from '../test-client'

let server: MockServer
let client: TestClient
beforeAll(async () => {
  server = await createMockServer({ autoApprove: true })
  client = new TestClient(server)
})
afterAll(() => server.close())
beforeEach(() => client.control('POST', '/reset'))

async function addFault(rule: unknown): Promise<void> {
  expect((await client.control('POST', '/faults', rule)).status).toBe(200)
}
const discover = () => client.get('/info.json')

describe('a fault', () => {
  it('replaces the answer and counts down', async () => {
    await addFault({
      match: { path: '/info.json' },
      times: 2,
      fault: { status: 503, headers: { 'retry-after': '7' }, body: { error: 'busy' } },
    })
    const first = await discover()
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '7'])
    expect(await first.json()).toEqual({ error: 'busy' })
    expect(await (await client.control('GET', '/faults')).json()).toMatchObject([{ times: 1 }])
    expect((await discover()).status).toBe(503)
    expect((await discover()).status).toBe(200)
  })

  it('stays until it is cleared when it has no number of times, and never touches the control', async () => {
    await addFault({ fault: { status: 500 } })
    for (let time = 0; time < 3; time += 1) expect((await discover()).status).toBe(500)
    await client.control('DELETE', '/faults')
    expect((await discover()).status).toBe(200)
  })

  it('strikes only the method and path that it names; a star stands for the rest of a path', async () => {
    await addFault({ match: { method: 'post', path: '/oauth/*' }, times: 1, fault: { status: 502 } })
    expect((await discover()).status).toBe(200)
    expect((await client.get('/oauth/token')).status).toBe(405)
    expect((await client.postForm('/oauth/token', {})).status).toBe(502)
  })

  it('with a status keeps the request from being processed', async () => {
    const form = await client.codeForm()
    await addFault({ times: 1, fault: { status: 500, body: 'not JSON' } })
    const failed = await client.postForm('/oauth/token', form)
    expect([failed.status, await failed.text()]).toEqual([500, 'not JSON'])
    expect((await client.postForm('/oauth/token', form)).status).toBe(200)
  })

  it('without a status replaces headers or body of the normal answer', async () => {
    await addFault({ times: 1, fault: { body: '<html>' } })
    const replaced = await discover()
    expect([replaced.status, await replaced.text()]).toEqual([200, '<html>'])
    await addFault({ times: 1, fault: { headers: { 'content-type': 'text/plain' } } })
    const renamed = await discover()
    expect(renamed.headers.get('content-type')).toBe('text/plain')
    expect(await renamed.json()).toHaveProperty('api')
  })

  it('delays the answer, which is then the normal one', async () => {
    await addFault({ times: 1, fault: { delayMs: 60 } })
    const before = performance.now()
    expect((await discover()).status).toBe(200)
    expect(performance.now() - before).toBeGreaterThan(50)
  })

  it('resets the connection', async () => {
    await addFault({ times: 1, fault: { reset: true } })
    await expect(discover()).rejects.toThrow('fetch failed')
    expect((await discover()).status).toBe(200)
  })

  it('breaks off in the middle of the answer', async () => {
    await addFault({ times: 1, fault: { truncate: true } })
    const response = await discover()
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('gives a complete answer that cannot be parsed', async () => {
    await addFault({ times: 1, fault: { malformed: true } })
    const text = await (await discover()).text()
    expect(text).toMatch(/^\{"api"/)
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
  })

  it('strikes redirects and the calls behind the bearer check as well', async () => {
    const { accessToken } = await client.logIn()
    await addFault({ match: { path: '/api/vpn/profile_list' }, times: 1, fault: { malformed: true } })
    const response = await client.call(accessToken, '/profile_list')
    expect(response.status).toBe(200)
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })
})

it('closing the server does not wait for a delayed answer', async () => {
  const other = await createMockServer()
  const otherClient = new TestClient(other)
  await otherClient.control('POST', '/faults', { fault: { delayMs: 600_000 } })
  const pending = otherClient.get('/info.json').then(
    () => 'answered',
    () => 'broken off',
  )
  await expect.poll(async () => await (await otherClient.control('GET', '/requests')).json()).toHaveLength(1)
  await other.close()
  expect(await pending).toBe('broken off')
})
