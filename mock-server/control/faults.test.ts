import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { TestClient } from '../test-client'

// Faults act below HTTP, where TLS changes everything: a reset of a TLS socket once ended the process of the tests.
describe.each([
  ['http', undefined],
  ['https', 'generated'],
] as const)('over %s', (_scheme, tls) => {
  let server: MockServer
  let client: TestClient
  beforeAll(async () => {
    server = await createMockServer({ autoApprove: true, tls })
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

    it('can be an answer of its own that breaks off, is malformed or slow', async () => {
      const answer = { status: 200, headers: { 'x-part': ['a', 'b'] }, body: 'x'.repeat(100) }
      await addFault({
        sequence: [{ fault: { ...answer, truncate: true } }, { fault: { ...answer, malformed: true } }],
      })
      const cut = await discover()
      expect([cut.headers.get('content-length'), cut.headers.get('x-part')]).toEqual(['100', 'a, b'])
      await expect(cut.text()).rejects.toThrow()
      expect(await (await discover()).text()).toBe('x'.repeat(50))
    })

    it('can close the connection without an answer', async () => {
      await addFault({ match: { path: '/info.json' }, times: 1, fault: { empty: true } })
      await expect(discover()).rejects.toThrow('fetch failed')
      expect((await discover()).status).toBe(200)
    })

    it("names a date of the mock's clock in Retry-After", async () => {
      await client.control('POST', '/clock', { now: '2030-01-01T00:00:00Z' })
      await addFault({ times: 1, fault: { status: 503, retryAfterSeconds: 90 } })
      const date = (await discover()).headers.get('retry-after') ?? ''
      expect(Date.parse(date) / 1000).toBeCloseTo(Date.parse('2030-01-01T00:01:30Z') / 1000, -1)
    })

    it('matches fields of a form', async () => {
      await addFault({
        match: { body: { form: { grant_type: 'refresh_token', refresh_token: { matches: '^a+$' } } } },
        fault: { status: 418 },
      })
      const token = async (fields: Record<string, string>) =>
        (await client.postForm('/oauth/token', fields)).status
      expect(await token({ grant_type: 'refresh_token', refresh_token: 'aa' })).toBe(418)
      expect(await token({ grant_type: 'refresh_token', refresh_token: 'ab' })).toBe(400)
      expect(await token({ refresh_token: 'aa' })).toBe(400)
    })

    it('stays active without `times` until it is cleared, and never affects control calls', async () => {
      await addFault({ fault: { status: 500 } })
      for (let time = 0; time < 3; time += 1) expect((await discover()).status).toBe(500)
      await client.control('DELETE', '/faults')
      expect((await discover()).status).toBe(200)
    })

    it('affects only its method and path; a star matches the rest of a path', async () => {
      await addFault({ match: { method: 'post', path: '/oauth/*' }, times: 1, fault: { status: 502 } })
      expect((await discover()).status).toBe(200)
      expect((await client.get('/oauth/token')).status).toBe(405)
      expect((await client.postForm('/oauth/token', {})).status).toBe(502)
    })

    it('with a status prevents the request from being processed', async () => {
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
      await addFault({ times: 1, fault: { body: null } })
      expect(await (await discover()).text()).toBe('null')
      await addFault({ times: 1, fault: { headers: { 'content-type': 'text/plain' } } })
      const renamed = await discover()
      expect(renamed.headers.get('content-type')).toBe('text/plain')
      expect(await renamed.json()).toHaveProperty('api')
    })

    it('delays the normal answer', async () => {
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

    it('cuts off the answer half-way', async () => {
      await addFault({ times: 1, fault: { truncate: true } })
      const response = await discover()
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow('terminated')
    })

    it('completes an answer that cannot be parsed', async () => {
      await addFault({ times: 1, fault: { malformed: true } })
      const text = await (await discover()).text()
      expect(text).toMatch(/^\{"api"/)
      expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError)
    })

    it('sends the normal body slowly', async () => {
      await addFault({ times: 1, fault: { slowBodyMs: 80 } })
      const before = performance.now()
      const response = await discover()
      expect(await response.json()).toHaveProperty('api')
      expect(performance.now() - before).toBeGreaterThan(60)
    })

    it('affects every n-th matching request', async () => {
      await addFault({ match: { path: '/info.json' }, every: 3, times: 2, fault: { status: 503 } })
      const statuses: number[] = []
      for (let turn = 0; turn < 9; turn += 1) statuses.push((await discover()).status)
      expect(statuses).toEqual([200, 200, 503, 200, 200, 503, 200, 200, 200])
    })

    it('affects only requests with its parameters', async () => {
      await addFault({ match: { query: { page: '2', tag: 'b' } }, fault: { status: 503 } })
      const status = async (query: string) => (await client.get(`/info.json?${query}`)).status
      expect(await status('page=2')).toBe(200)
      expect(await status('page=2&tag=a')).toBe(200)
      expect(await status('tag=a&tag=b&page=2')).toBe(503)
      expect(await status('page=2&tag=b&__proto__=1')).toBe(503)
    })

    const statuses = async (count: number, path = '/info.json') => {
      const found: number[] = []
      while (found.length < count) found.push((await client.get(path)).status)
      return found
    }

    it('applies before older ones', async () => {
      await addFault({ fault: { status: 501 } })
      await addFault({ times: 1, fault: { status: 502 } })
      expect(await statuses(2)).toEqual([502, 501])
    })

    it('follows a sequence, and ends with the normal answer', async () => {
      await addFault({
        match: { path: '/info.json' },
        sequence: [{ times: 2, fault: { status: 503 } }, {}, { fault: { status: 429 } }],
      })
      expect(await statuses(5)).toEqual([503, 503, 200, 429, 200])
      expect(await (await client.control('GET', '/faults')).json()).toEqual([])
    })

    it('spares requests at first', async () => {
      await addFault({ skip: 2, every: 2, fault: { status: 500 } })
      expect(await statuses(6)).toEqual([200, 200, 200, 500, 200, 500])
    })

    it('applies with a probability, the same with the same seed', async () => {
      const run = async (seed: number) => {
        await client.control('DELETE', '/faults')
        await addFault({ probability: 0.5, seed, fault: { status: 500 } })
        return statuses(20)
      }
      const first = await run(7)
      expect(new Set(first)).toEqual(new Set([200, 500]))
      expect(await run(7)).toEqual(first)
      expect(await run(8)).not.toEqual(first)
    })

    it('applies to one user alone', async () => {
      await addFault({ match: { user: 'anna' }, fault: { status: 500 } })
      const status = async (user: string) =>
        (await client.get('/v2.0.0/attachments/', { 'x-user-id': user })).status
      expect([await status('anna'), await status('bram')]).toEqual([500, 403])
    })

    it('answers with bytes', async () => {
      await addFault({ fault: { status: 200, bodyBase64: '/wD+' } })
      expect(Buffer.from(await (await discover()).arrayBuffer()).toString('hex')).toBe('ff00fe')
    })

    it.each([
      [{ status: 503, delayMs: 80 }, 503],
      [{ status: 503, delayMs: { uniform: [80, 90] } }, 503],
      [{ delayMs: { lognormal: { medianMs: 80, sigma: 0 } } }, 200],
      [{ truncate: true, delayMs: 80 }, 200],
      [{ body: 'changed', delayMs: 80 }, 200],
    ])('%j comes after its delay', async (fault, expected) => {
      await addFault({ fault })
      const start = performance.now()
      expect((await discover()).status).toBe(expected)
      expect(performance.now() - start).toBeGreaterThan(75)
    })

    it.each([
      { match: { method: 'DNS' }, fault: { status: 500 } },
      { match: { method: 'icmp' }, fault: { reset: true } },
      { match: { method: 'DISCARD' }, fault: { delayMs: 5 } },
      { match: { method: 'CONNECT' }, fault: { status: 500 } },
      { match: { path: '/_mock/clock' }, fault: { status: 500 } },
      { match: { path: '/_mock/*' }, fault: { status: 500 } },
      { match: { path: '/_world/a/info.json' }, fault: { status: 500 } },
      { match: { method: 'GET', body: { contains: 'a' } }, fault: { status: 500 } },
      { match: { body: '' }, fault: { status: 500 } },
      { match: { user: '' }, fault: { status: 500 } },
      { seed: 7, fault: { status: 500 } },
      { seed: 7, probability: 1, fault: { status: 500, delayMs: 5 } },
      { fault: { delayMs: { uniform: [500, 100] } } },
      { fault: { delayMs: 0 } },
      { fault: { headers: {} } },
      { fault: { headers: { 'Content-Length': '5' } } },
      { fault: { status: 500, headers: { trailer: 'x' } } },
      { fault: { status: 204, body: 'x' } },
      { fault: { status: 204, body: null } },
      { fault: { status: 304, bodyBase64: 'YQ==' } },
    ])('without effect is refused: %j', async (rule) => {
      expect((await client.control('POST', '/faults', rule)).status).toBe(400)
    })

    it.each([
      { match: { method: 'options', path: '/_mocking*' }, fault: { status: 500 } },
      { match: { method: 'POST', body: { present: false } }, fault: { status: 500 } },
      { seed: 7, fault: { delayMs: { uniform: [1, 1] } } },
      { seed: 7, sequence: [{}, { fault: { reset: true, delayMs: { uniform: [0, 9] } } }] },
      { seed: 7, probability: 0.1, fault: { status: 204, headers: { 'x-a': 'b' } } },
    ])('with an effect is taken: %j', (rule) => addFault(rule))

    it('can be removed without the others', async () => {
      const add = async (status: number) =>
        (await (await client.control('POST', '/faults', { fault: { status } })).json()) as { id: string }
      const first = await add(501)
      await add(502)
      expect((await client.control('DELETE', `/faults/${first.id}`)).status).toBe(200)
      expect((await client.control('DELETE', `/faults/${first.id}`)).status).toBe(404)
      expect((await discover()).status).toBe(502)
    })

    it('affects requests that would be refused: unknown paths, bodies that are not JSON', async () => {
      await addFault({ fault: { status: 500, body: 'down' } })
      const broken = await client.fetch(`${server.origin}/v2.0.0/attachments/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"title": ',
      })
      expect([broken.status, await broken.text()]).toEqual([500, 'down'])
      expect((await client.get('/nowhere')).status).toBe(500)
      expect((await client.call('no-token', '/profile_list')).status).toBe(500)
    })

    it('affects calls that require an access token', async () => {
      const { accessToken } = await client.logIn()
      await addFault({ match: { path: '/api/vpn/profile_list' }, times: 1, fault: { malformed: true } })
      const response = await client.call(accessToken, '/profile_list')
      expect(response.status).toBe(200)
      await expect(response.json()).rejects.toThrow(SyntaxError)
    })
  })

  describe('a fault on files', () => {
    interface Made {
      id: string
      url: string
    }
    const size = 300_000
    const create = async (): Promise<Made> => {
      const response = await client.fetch(`${server.origin}/v2.0.0/attachments/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'A file', type: 'INTERNAL', extension: 'pdf' }),
      })
      expect(response.status).toBe(201)
      const { url } = (await response.json()) as { url: string }
      return { id: new URL(url).pathname.split('/')[2] ?? '', url }
    }
    const upload = ({ url }: Made) =>
      client.fetch(url, {
        method: 'PUT',
        headers: { 'content-type': 'application/pdf' },
        body: Buffer.alloc(size, 'a'),
      })
    const addressOf = async ({ id }: Made): Promise<string> => {
      const response = await client.get(`/v2.0.0/attachments/${id}`)
      expect(response.status).toBe(200)
      return ((await response.json()) as Made).url
    }

    it('resets one upload half-way, and the next succeeds', async () => {
      const made = await create()
      await addFault({ match: { method: 'PUT' }, times: 1, fault: { reset: true, afterBytes: 100_000 } })
      await expect(upload(made)).rejects.toThrow('fetch failed')
      const journal = async (): Promise<unknown> =>
        (await client.control('GET', '/requests?method=PUT&limit=1')).json()
      await expect.poll(journal).toMatchObject([{ outcome: 'broken-off' }])
      expect((await client.get(`/v2.0.0/attachments/${made.id}`)).status).toBe(404)
      expect((await upload(made)).status).toBe(200)
      await expect.poll(async () => (await client.get(`/v2.0.0/attachments/${made.id}`)).status).toBe(200)
    })

    it('spares an upload that is shorter than the position of the break', async () => {
      const made = await create()
      await addFault({ times: 1, fault: { reset: true, afterBytes: size + 1 } })
      expect((await upload(made)).status).toBe(200)
    })

    it('cuts off, slows down or corrupts a download', async () => {
      const made = await create()
      await upload(made)
      await expect.poll(async () => (await client.get(`/v2.0.0/attachments/${made.id}`)).status).toBe(200)
      const address = await addressOf(made)
      await addFault({ match: { path: '/storage/*' }, times: 1, fault: { truncate: true } })
      const response = await client.fetch(address)
      expect(response.headers.get('content-length')).toBe(String(size))
      let received = 0
      const read = async () => {
        for await (const chunk of response.body ?? []) received += (chunk as Uint8Array).length
      }
      await expect(read()).rejects.toThrow('terminated')
      expect(received).toBe(size / 2)
      await addFault({ match: { path: '/storage/*' }, times: 1, fault: { slowBodyMs: 50 } })
      expect((await (await client.fetch(address)).arrayBuffer()).byteLength).toBe(size)
      await addFault({ match: { path: '/storage/*' }, times: 1, fault: { malformed: true } })
      expect((await (await client.fetch(address)).arrayBuffer()).byteLength).toBe(size / 2)
    })
  })

  describe('a scenario of broken connections', () => {
    it.each(['offline', 'portal-unreachable'])('%s resets every connection', async (name) => {
      await client.scenario(name)
      await expect(discover()).rejects.toThrow('fetch failed')
      await client.scenario('all-well')
      expect((await discover()).status).toBe(200)
    })

    it('flaky-network resets every third connection', async () => {
      await client.scenario('flaky-network')
      const outcomes: unknown[] = []
      for (let turn = 0; turn < 6; turn += 1) {
        outcomes.push(
          await discover().then(
            ({ status }) => status,
            () => 'reset',
          ),
        )
      }
      expect(outcomes).toEqual([200, 200, 'reset', 200, 200, 'reset'])
    })

    it('storage-unreachable resets uploads', async () => {
      await client.scenario('storage-unreachable')
      await expect(
        client.fetch(`${server.origin}/storage/a/b`, { method: 'PUT', body: 'x' }),
      ).rejects.toThrow('fetch failed')
    })
  })

  it('a reset in a body that nobody reads ends only its connection', async () => {
    await client.scenario('interrupted-upload')
    const body = Buffer.alloc(600_000, 'a')
    for (const path of ['/storage/a/b?method=PUT', '/nowhere', '/v2.0.0/attachments/']) {
      await addFault({
        match: { path: path.replace(/\?.*/, '') },
        times: 1,
        fault: { reset: true, afterBytes: 100 },
      })
      await client
        .fetch(`${server.origin}${path}`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body,
        })
        .catch(() => undefined)
      // It has struck: only the rule of the scenario is left.
      expect(await (await client.control('GET', '/faults')).json()).toHaveLength(1)
    }
    expect((await discover()).status).toBe(200)
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
  await expect
    .poll(async (): Promise<unknown> => (await otherClient.control('GET', '/requests')).json())
    .toHaveLength(1)
  await other.close()
  expect(await pending).toBe('broken off')
})
