import { connect } from 'node:net'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../server'
import { goodRequest, TestClient } from '../test-client'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: MockServerOptions = {}): Promise<MockServer> {
  server = await createMockServer({ autoApprove: true, ...options })
  return server
}

interface Answer {
  status: number | undefined
  location: string | undefined
  body: string
}

/** Sends a request with headers that fetch does not allow. */
function ask(
  path: string,
  headers: Record<string, string>,
  init: { method?: string; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(
      { hostname: '127.0.0.1', port: server?.port, path, method: init.method ?? 'GET', headers },
      (response) => {
        text(response).then((body) => {
          resolve({ status: response.statusCode, location: response.headers.location, body })
        }, reject)
      },
    )
      .on('error', reject)
      .end(init.body)
  })
}

const emulator = { host: '10.0.2.2:5006' }
const loopback = /127\.0\.0\.1|localhost/

describe('the origin that a client called', () => {
  it.each([
    '/info.json',
    '/.well-known/vpn-user-portal',
    '/2.3/club?count=5',
    '/2.3/news/lists',
    '/discovery/server_list.json',
    '/discovery/organization_list.json',
    '/v2.0.0/attachments/?pageSize=100',
    '/_mock/openapi/content.json',
  ])('is in every address of %s', async (path) => {
    const { origin } = await start({ api: '2,3' })
    // Another client asks at the same time.
    await (await fetch(`${origin}${path}`)).arrayBuffer()
    const { status, body } = await ask(path, emulator)
    expect(status).toBe(200)
    expect(body).toContain('http://10.0.2.2:5006')
    expect(body).not.toContain(`127.0.0.1:${server?.port ?? ''}`)
  })

  it('is in the issuer, in upload addresses and in the remotes of both versions of the API', async () => {
    const mock = await start({ api: '2,3' })
    const { origin } = mock
    const query = new URLSearchParams(goodRequest().query).toString()
    const redirect = await ask(`/oauth/authorize?${query}`, emulator)
    expect(new URL(redirect.location ?? '').searchParams.get('iss')).toBe('http://10.0.2.2:5006')

    const upload = await ask(
      '/v2.0.0/attachments/',
      { ...emulator, 'content-type': 'application/json' },
      { method: 'POST', body: JSON.stringify({ type: 'INTERNAL', title: 'A file', extension: 'txt' }) },
    )
    const { url } = JSON.parse(upload.body) as { url: string }
    expect(url).toMatch(/^http:\/\/10\.0\.2\.2:5006\/storage\//)
    // The signature doesn't depend on the name of the mock.
    const address = new URL(url)
    const stored = await fetch(`${origin}${address.pathname}${address.search}`, {
      method: 'PUT',
      body: 'abc',
    })
    expect(stored.status).toBe(200)

    const { accessToken } = await new TestClient(mock).logIn()
    const authorized = { ...emulator, authorization: `Bearer ${accessToken}` }
    const config = await ask('/api/vpn/profile_config?profile_id=internet', authorized)
    expect(config.body).toMatch(/^remote 10\.0\.2\.2 \d+ udp/m)
    const connected = await ask(
      '/api/v3/connect',
      { ...authorized, 'content-type': 'application/x-www-form-urlencoded' },
      { method: 'POST', body: 'profile_id=internet' },
    )
    expect(connected.body).toMatch(/^remote 10\.0\.2\.2 \d+ udp/m)
    expect(connected.body).not.toMatch(loopback)
  })

  it('is kept apart for requests that are answered at the same time, also delayed ones', async () => {
    const mock = await start({ api: '2,3' })
    const { accessToken } = await new TestClient(mock).logIn()
    await fetch(`${mock.control}/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ match: { headers: { 'x-late': 'yes' } }, fault: { delayMs: 10 } }),
    })
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const json = { 'content-type': 'application/json' }
    const file = JSON.stringify({ type: 'INTERNAL', title: 'A file', extension: 'txt' })
    const calls: [path: string, headers?: Record<string, string>, body?: string][] = [
      ['/info.json'],
      [`/oauth/authorize?${new URLSearchParams(goodRequest().query).toString()}`],
      ['/api/vpn/profile_config?profile_id=internet'],
      ['/api/v3/connect', form, 'profile_id=internet'],
      ['/2.3/club?count=5'],
      ['/discovery/server_list.json'],
      ['/v2.0.0/attachments/?pageSize=100'],
      ['/v2.0.0/attachments/', json, file],
    ]
    const askAs = async (name: string, index: number) => {
      const [path, headers = {}, body] = calls[index % calls.length] ?? ['/']
      const late = index % 2 === 0 ? 'yes' : 'no'
      const sent = {
        ...headers,
        host: `${name}:5006`,
        authorization: `Bearer ${accessToken}`,
        'x-late': late,
      }
      const answer = await ask(path, sent, body === undefined ? {} : { method: 'POST', body })
      const text = decodeURIComponent(answer.location ?? '') + answer.body
      return [path, [...new Set(text.match(/name-\d+\.example|localhost/g))]]
    }
    const names = Array.from({ length: 90 }, (_, index) => `name-${index}.example`)
    const received = await Promise.all(names.map(askAs))
    expect(received).toEqual(names.map((name, index) => [calls[index % calls.length]?.[0], [name]]))
  })

  it.each([
    'a b',
    'a/b',
    'user@host',
    'host:99999',
    'host:0',
    'host:x',
    '[::1',
    '<b>',
    'host,other',
    'a..b:1:2',
  ])('is refused if it is %j', async (host) => {
    await start()
    for (const [path, error] of [
      ['/info.json', { error: 'The Host header is not valid.' }],
      ['/2.3/club', { error: { code: 400, message: 'The Host header is not valid.' } }],
      ['/api/org', { message: 'The Host header is not valid.' }],
      ['/_mock/requests', { error: 'The Host header is not valid.' }],
    ] as const) {
      const { status, body } = await ask(path, { host })
      expect([status, JSON.parse(body)]).toEqual([400, error])
    }
  })

  it.each(['Host: one.example\r\nHost: two.example', 'Host:'])('is refused as %j', async (lines) => {
    const { port } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.end(`GET /info.json HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('is the own one for a request without a Host header', async () => {
    const { origin, port } = await start()
    const socket = connect(port, '127.0.0.1')
    socket.end('GET /info.json HTTP/1.0\r\n\r\n')
    expect(await text(socket)).toContain(`"${origin}/api/vpn"`)
  })
})

describe('a fixed origin', () => {
  it('is in all answers and in the addresses of the server, and its page may control the mock', async () => {
    const { instance } = await start({ origin: 'https://mock.test.example/' })
    expect(instance).toBe('https://mock.test.example/')
    expect((await ask('/info.json', emulator)).body).toContain('"https://mock.test.example/api/vpn"')
    const own = { host: 'mock.test.example' }
    expect((await ask('/_mock/reset', own, { method: 'POST' })).status).toBe(200)
  })

  it.each([
    'mock.example',
    'ftp://mock.example',
    'http://mock.example/path',
    'http://user@mock.example',
    'http://a?b',
  ])('is refused if it is %s', async (origin) => {
    await expect(createMockServer({ origin })).rejects.toThrow('is not an origin such as')
  })
})

it('ignores the headers of a proxy', async () => {
  await start()
  const forwarded = { host: 'inner:1', 'x-forwarded-host': 'vpn.test.example', 'x-forwarded-proto': 'https' }
  expect((await ask('/info.json', forwarded)).body).toContain('"http://inner:1/api/vpn"')
})
