import { connect } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { createMockServer } from '../server'
import { Journal, maxEntries } from './journal'
import type { JournalEntry } from './journal-record'

const { server, client } = await serveMock({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } })
beforeEach(() => client.control('POST', '/reset'))

async function journal(query = ''): Promise<JournalEntry[]> {
  return (await (await client.control('GET', `/requests${query}`)).json()) as JournalEntry[]
}

describe('the journal', () => {
  it('records method, path, query, headers, body, status and duration of every request, newest last', async () => {
    await client.get('/info.json?a=1&b=2&b=3', { 'x-test': 'yes' })
    await client.postForm('/oauth/token', { grant_type: 'password' })
    await client.postForm('/api/vpn/create_keypair', { display_name: 'Laptop' })
    await client.get('/nowhere')
    const entries = await journal()
    expect(entries.map(({ method, path, body, status }) => [method, path, body, status])).toEqual([
      ['GET', '/info.json', null, 200],
      ['POST', '/oauth/token', 'grant_type=password', 400],
      ['POST', '/api/vpn/create_keypair', 'display_name=Laptop', 401],
      ['GET', '/nowhere', null, 404],
    ])
    expect(entries[0]).toMatchObject({
      time: '2026-11-20T12:00:00.000Z',
      query: { a: '1', b: ['2', '3'] },
      headers: { 'x-test': 'yes' },
      bodyBytes: 0,
      durationMs: expect.any(Number) as number,
      outcome: 'answered',
    })
  })

  it('records the headers of each request, also where those of the request before were nearly the same', async () => {
    const sent: Record<string, string>[] = [
      { 'x-turn': '1' },
      { 'x-turn': '1' },
      { 'x-turn': '2' },
      { 'x-turn': '2', 'x-last': 'yes' },
    ]
    for (const headers of sent) await client.get('/info.json', headers)
    const named = ({ headers }: JournalEntry) => [headers['x-turn'], headers['x-last']]
    expect((await journal()).map(named)).toEqual([
      ['1', undefined],
      ['1', undefined],
      ['2', undefined],
      ['2', 'yes'],
    ])
  })

  it('records the answer, and the fault, queued answer or scenario that made it', async () => {
    await client.get('/info.json')
    const fault = {
      match: { path: '/2.3/club' },
      fault: { status: 503, headers: { 'retry-after': '7' }, body: 'no' },
    }
    await client.control('POST', '/faults', fault)
    await client.get('/2.3/club')
    await client.get('/2.3/clubs?x=1')
    await client.control('POST', '/faults', { match: { path: '/info.json' }, fault: { malformed: true } })
    await client.get('/info.json')
    await client.control('POST', '/oauth/answers', { endpoint: 'token', status: 400, body: { error: 'odd' } })
    await client.postForm('/oauth/token', {})
    await client.control('POST', '/scenarios/no-messages')
    await client.get('/info.json')
    const entries = await journal()
    expect(entries.map(({ answer, by }) => [answer?.status, by])).toEqual([
      [200, undefined],
      [503, 'fault 1'],
      [404, undefined],
      [200, 'fault 2'],
      [400, 'queued answer'],
      [200, 'scenario no-messages'],
    ])
    expect(entries[0]?.answer).toMatchObject({ headers: { 'content-type': 'application/json' } })
    expect(entries[0]?.answer?.body).toBe(entries[3]?.answer?.body)
    expect(JSON.parse(entries[0]?.answer?.body ?? '')).toHaveProperty('api')
    expect(entries[1]?.answer).toMatchObject({ headers: { 'retry-after': '7' }, body: 'no' })
    expect(entries[2]?.nearestFault).toEqual({ id: '1', differences: ['path: /2.3/clubs'] })
    expect(entries[4]?.answer?.body).toBe('{"error":"odd"}')
  })

  it('records bodies that cannot be parsed', async () => {
    const headers = { 'content-type': 'application/json' }
    await fetch(`${server.origin}/api/orgs`, { method: 'POST', headers, body: '{"name": ' })
    expect(await journal()).toMatchObject([{ body: '{"name": ', bodyBytes: 9, status: 400 }])
  })

  it('can be emptied, and does not record control calls', async () => {
    await client.get('/info.json')
    await client.control('DELETE', '/requests')
    await client.control('GET', '/faults')
    expect(await journal()).toEqual([])
  })

  it('returns the entries that match a filter', async () => {
    for (const path of ['/info.json', '/nowhere', '/nowhere/else']) await client.get(path)
    await client.postForm('/nowhere', {})
    const found = async (query: string) =>
      (await journal(query)).map(({ method, path }) => `${method} ${path}`)
    expect(await found('?path=/nowhere')).toEqual(['GET /nowhere', 'POST /nowhere'])
    expect(await found('?path=/nowhere*&method=get')).toEqual(['GET /nowhere', 'GET /nowhere/else'])
    expect(await found('?limit=1')).toEqual(['POST /nowhere'])
    const [first] = await journal()
    expect(await found(`?since=${first?.id ?? 0}&limit=2`)).toEqual(['GET /nowhere/else', 'POST /nowhere'])
  })

  it.each(['since=-1', 'since=x', 'limit=0', 'limit=5001', 'limit=1&limit=2'])(
    'refuses %s',
    async (query) => {
      const response = await client.control('GET', `/requests?${query}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: expect.stringContaining('whole number') as string })
    },
  )

  it('marks a reset connection as broken off', async () => {
    await client.control('POST', '/faults', { fault: { reset: true } })
    await expect(client.get('/info.json')).rejects.toThrow('fetch failed')
    await expect
      .poll(() => journal())
      .toMatchObject([{ path: '/info.json', status: null, outcome: 'broken-off' }])
  })
})

it('stores the beginning of a long body, and its full length', async () => {
  const body = `a=${'é'.repeat(100_000)}`
  await fetch(`${server.origin}/oauth/token`, { method: 'POST', body })
  const [entry] = await journal()
  expect(entry?.bodyBytes).toBe(200_002)
  expect(Buffer.byteLength(entry?.body ?? '')).toBeLessThanOrEqual(64 * 1024 + 2)
  expect(entry?.body?.startsWith('a=éé')).toBe(true)
})

describe('the size of the journal', () => {
  const request = { method: 'POST', url: '/x', headers: {} }
  const response = () => ({
    getHeaders: () => ({}),
    raw: { headersSent: true, statusCode: 200, writableFinished: true },
  })

  it('is limited by the number of requests: the oldest are dropped', () => {
    const full = new Journal()
    for (let turn = 0; turn < 3 * maxEntries; turn += 1) full.add(0, request, response())
    const entries = full.find()
    expect([full.records.length, entries.length, entries[0]?.id, entries.at(-1)?.id]).toEqual([
      maxEntries,
      maxEntries,
      2 * maxEntries + 1,
      3 * maxEntries,
    ])
  })

  it('keeps a request that outlives the journal apart from the ones after it', () => {
    const full = new Journal()
    const slow = full.add(0, { ...request, url: '/slow' }, response())
    for (let turn = 0; turn < 2 * maxEntries; turn += 1) {
      const record = full.add(0, request, response())
      full.keepBody(record, `body ${record.id}`)
      full.end(record)
    }
    full.keepBody(slow, 'late')
    full.end(slow)
    const entries = full.find()
    expect(entries).toHaveLength(maxEntries)
    for (const { id, path, body } of entries)
      expect({ path, body }).toEqual({ path: '/x', body: `body ${id}` })
    expect(slow.entry()).toMatchObject({ id: 1, path: '/slow', body: null })
  })

  it('is limited by the total length of the bodies', () => {
    const full = new Journal()
    for (let turn = 0; turn < 2000; turn += 1) {
      full.keepBody(full.add(0, request, response()), 'a'.repeat(60_000))
    }
    const kept = full.find().reduce((sum, { body }) => sum + (body?.length ?? 0), 0)
    expect(kept).toBeGreaterThan(8 * 1024 * 1024)
    expect(kept).toBeLessThanOrEqual(32 * 1024 * 1024)
    expect(full.find().at(-1)?.id).toBe(2000)
  })

  it('is limited by the total length of the answers: the oldest lose their bodies, not their requests', () => {
    const full = new Journal()
    for (let turn = 0; turn < 1000; turn += 1) {
      const record = full.add(0, request, response())
      full.keepAnswer(record, 'a'.repeat(60_000))
      full.end(record)
    }
    const bodies = full.find().map(({ answer }) => answer?.body)
    expect(bodies).toHaveLength(1000)
    expect([bodies[0], bodies.at(-1)?.length]).toEqual([undefined, 60_000])
    const kept = bodies.reduce((sum, body) => sum + (body?.length ?? 0) * 2, 0)
    expect(kept).toBeGreaterThan(16 * 1024 * 1024)
    expect(kept).toBeLessThanOrEqual(32 * 1024 * 1024)
  })

  it('grows neither by headers that repeat nor by a copy of each answer', () => {
    const full = new Journal()
    const answer = Buffer.from('a long list')
    for (const turn of ['1', '1', '2']) {
      const record = full.add(0, { ...request, headers: { 'x-turn': turn } }, response())
      full.keepAnswer(record, answer)
      full.end(record)
    }
    const [first, second, third] = full.records
    expect(second?.request).toBe(first?.request)
    expect(third?.request.headers).toEqual({ 'x-turn': '2' })
    // Only an answer that isn't copied shows the change.
    answer.write('A')
    expect(full.find().map(({ answer: sent }) => sent?.body)).toEqual(Array(3).fill('A long list'))
  })
})

interface Feed {
  until(text: string): Promise<string>
  stop(): void
}

async function listen(): Promise<Feed> {
  const stop = new AbortController()
  const response = await fetch(`${server.control}/events`, { signal: stop.signal })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let seen = ''
  return {
    until: async (text) => {
      while (!seen.includes(text)) {
        const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
        if (done) throw new Error(`The feed ended after: ${seen}`)
        seen += value
      }
      return seen
    },
    stop: () => {
      stop.abort()
    },
  }
}

describe('events', () => {
  it('report requests, faults, clock and scenarios to several listeners', async () => {
    const feeds = [await listen(), await listen()]
    await client.get('/info.json?a=1')
    await client.control('POST', '/faults', { fault: { status: 500 } })
    await client.control('POST', '/clock', { advanceSeconds: 3600 })
    await client.control('POST', '/scenarios/offline')
    await client.control('DELETE', '/requests')
    for (const feed of feeds) {
      const seen = await feed.until('event: journal')
      expect(seen).toMatch(/event: request\ndata: \{"id":\d+,.*"path":"\/info.json".*"status":200/)
      expect(seen).toMatch(/event: faults\ndata: \[\{.*"status":500/)
      expect(seen).toContain('event: clock\ndata: {"now":"2026-11-20T13:00:00.000Z"}')
      expect(seen).toContain('event: scenario\ndata: {"name":"offline","names":["offline"]}')
      feed.stop()
    }
  })

  it('do not keep the server from closing, and drop a listener that never reads', async () => {
    const other = await createMockServer()
    const socket = connect(Number(new URL(other.origin).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.pause()
    socket.write('GET /_mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    // As much as the journal keeps, and an event has, of a body.
    const long = 'a'.repeat(64 * 1024)
    for (let turn = 0; turn < 300 && !socket.destroyed; turn += 1) {
      await fetch(`${other.origin}/oauth/token`, { method: 'POST', body: `${turn}${long}` })
    }
    socket.resume()
    await expect.poll(() => socket.destroyed).toBe(true)
    const listening = await fetch(`${other.control}/events`)
    await other.close()
    await listening.text().catch(() => 'broken off')
  })
})
