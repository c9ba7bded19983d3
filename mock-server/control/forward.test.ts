import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { TestClient } from '../test-client'

interface Seen {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

const seen: Seen[] = []
let upstreamOrigin = ''

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request
  seen.push({ method, url, headers, body: await text(request) })
  if (url === '/moved') {
    response.writeHead(302, { location: `${upstreamOrigin}/there` }).end()
  } else if (url === '/binary') {
    response.end(Buffer.from([0xff, 0xfe, 0]))
  } else {
    response.writeHead(203, { 'content-type': 'application/json', 'x-count': String(seen.length) })
    response.end(JSON.stringify({ count: seen.length }))
  }
}
const upstream = createServer((request, response) => void answer(request, response))

let server: MockServer
let client: TestClient
beforeAll(async () => {
  upstream.listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  upstreamOrigin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  server = await createMockServer({ proxyUnknown: upstreamOrigin })
  client = new TestClient(server)
})
afterAll(async () => {
  await server.close()
  upstream.close()
})
beforeEach(async () => {
  seen.length = 0
  await client.control('POST', '/reset')
})

it('asks the upstream server for unknown paths only', async () => {
  const response = await fetch(`${server.origin}/other/path?a=1`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain', 'x-own': 'yes' },
    body: 'hello',
  })
  expect([response.status, response.headers.get('x-count'), await response.json()]).toEqual([
    203,
    '1',
    { count: 1 },
  ])
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/other/path?a=1',
      headers: { 'x-own': 'yes', via: '1.1 causeway-mock', host: new URL(upstreamOrigin).host },
      body: 'hello',
    },
  ])
  expect((await client.get('/info.json')).status).toBe(200)
  expect((await client.get('/oauth/token')).status).toBe(405)
  expect((await client.control('GET', '/unknown')).status).toBe(404)
  expect(seen).toHaveLength(1)
})

it('replays what it recorded without asking again', async () => {
  const get = async (path: string) => (await client.get(path)).json()
  expect([await get('/a?x=1'), await get('/b'), await get('/a?x=1')]).toEqual([
    { count: 1 },
    { count: 2 },
    { count: 3 },
  ])
  await client.get('/binary')
  const recordings = await (await client.control('GET', '/recordings')).json()
  const headers = { 'content-type': 'application/json', 'x-count': '2' }
  expect(recordings).toEqual([
    { match: { method: 'GET', path: '/b' }, fault: { status: 203, headers, body: { count: 2 } } },
    {
      match: { method: 'GET', path: '/a', query: { x: '1' } },
      fault: { status: 203, headers: { ...headers, 'x-count': '3' }, body: { count: 3 } },
    },
  ])
  expect(await (await client.control('POST', '/recordings/replay')).json()).toEqual({ ok: true, added: 2 })
  expect([await get('/b'), await get('/a?x=1')]).toEqual([{ count: 2 }, { count: 3 }])
  expect(seen).toHaveLength(4)
})

it('keeps redirects within the mock', async () => {
  expect((await client.get('/moved')).headers.get('location')).toBe(`${server.origin}/there`)
})

it('never asks another server, however the address is written', async () => {
  for (const target of ['//evil.example/x', '/\\evil.example/x', '/@evil.example', 'http://evil.example/x']) {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET ${target} HTTP/1.1\r\nHost: mock\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 (203|400|404|502)/)
  }
  for (const { headers } of seen) expect(headers.host).toBe(new URL(upstreamOrigin).host)
})

it('does not send on what a mock has sent on already, such as itself', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET /x HTTP/1.1\r\nHost: mock\r\nVia: 1.1 causeway-mock\r\nConnection: close\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 508/)
  expect(seen).toEqual([])
})

it('answers 502 with the reason if the upstream server is not there, and refuses a bad address', async () => {
  const lonely = await createMockServer({ proxyUnknown: 'http://127.0.0.1:9' })
  const response = await fetch(`${lonely.origin}/x`)
  expect([response.status, await response.json()]).toEqual([
    502,
    { error: expect.stringContaining('http://127.0.0.1:9 could not be asked') as string },
  ])
  await lonely.close()
  await expect(createMockServer({ proxyUnknown: 'http://a.example/path' })).rejects.toThrow(
    'is not an origin such as',
  )
})
