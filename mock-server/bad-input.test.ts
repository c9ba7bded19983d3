import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { serveMock } from './test-server'
import { createMockServer } from './server'

const { server, client } = await serveMock({ autoApprove: true })
const { accessToken } = await client.logIn()

const paths = [
  '/info.json',
  '/oauth/authorize',
  '/oauth/token',
  '/api/vpn/profile_list',
  '/api/vpn/create_keypair',
  '/api/vpn/profile_config',
  '/api/vpn/check_certificate',
  '/v2.0.0/attachments/',
  '/_mock/clock',
  '/_mock/faults',
  '/_mock/profiles',
  '/_mock/session',
  '/_mock/authorize',
  '/_mock/tunnel',
  '/nowhere',
]
const bodies: [string, string | undefined, string][] = [
  ['broken JSON', 'application/json', '{"a": '],
  ['JSON that is no object', 'application/json', 'null'],
  ['a prototype in JSON', 'application/json', '{"__proto__": {"x": 1}}'],
  ['a prototype in a form', 'application/x-www-form-urlencoded', '__proto__=1&constructor=2&grant_type='],
  ['bytes as a form', 'application/x-www-form-urlencoded', '\0\xff%zz%=&&&=='],
  ['an unknown type', 'application/octet-stream', 'x'],
  ['no type that means anything', 'garbage;;;', 'x'],
  ['nothing', undefined, ''],
]

it.each(bodies)('never answers %s with a server error', async (_name, type, body) => {
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      if (method === 'DELETE' && path.startsWith('/_mock')) continue
      const response = await fetch(`${server.origin}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${accessToken}`,
          'x-user-roles': 'CONTRIBUTOR',
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        ...(method === 'GET' ? {} : { body }),
        redirect: 'manual',
      })
      await response.arrayBuffer()
      expect(response.status, `${method} ${path}`).toBeLessThan(500)
    }
  }
})

it.each([
  '%',
  '%E0%A4',
  '%00',
  '..%2f..%2fetc%2fpasswd',
  '?%=%&a',
  `?${'a=1&'.repeat(2000)}`,
  'a'.repeat(5000),
])('never answers malformed address number %# with a server error', async (ending) => {
  for (const path of [
    '/',
    '/info.json',
    '/api/vpn/',
    '/v2.0.0/attachments/',
    '/_mock/',
    '/oauth/authorize',
  ]) {
    const response = await client.get(`${path}${ending}`, { authorization: `Bearer ${accessToken}` })
    await response.arrayBuffer()
    expect(response.status, path).toBeLessThan(500)
  }
})

it('refuses a body of more than a megabyte with 413', async () => {
  for (const path of ['/oauth/token', '/api/vpn/create_keypair', '/_mock/profiles']) {
    const response = await fetch(`${server.origin}${path}`, {
      method: path.startsWith('/_mock') ? 'PUT' : 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'a'.repeat(1024 * 1024 + 1),
    })
    expect(response.status).toBe(413)
    await response.arrayBuffer()
  }
})

it('sends 100 Continue to a client that waits for it', async () => {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  const body = 'grant_type=password'
  socket.write(
    `POST /oauth/token HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n` +
      `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toMatch(/^HTTP\/1\.1 100 Continue/)
  socket.write(body)
  const [second] = (await once(socket, 'data')) as [Buffer]
  expect(second.toString()).toMatch(/^HTTP\/1\.1 400 Bad Request/)
  socket.destroy()
})

it('answers 400 to a connection that is not HTTP', async () => {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1')
  socket.write('\x16\x03\x01 this is TLS\r\n\r\n')
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /)
  socket.destroy()
})

it('reports a port that is in use as an error', async () => {
  const port = Number(new URL(server.origin).port)
  await expect(createMockServer({ port })).rejects.toThrow('EADDRINUSE')
})

it.each([
  ['/api/orgs', { message: 'The body is not UTF-8.' }],
  ['/v2.0.0/attachments/', { message: 'The body is not UTF-8.' }],
  ['/_mock/clock', { error: 'The body is not UTF-8.' }],
])('refuses JSON that is not UTF-8 at %s', async (path, answer) => {
  const headers = { 'content-type': 'application/json' }
  const body = Buffer.from('{"name": "\xff"}', 'latin1')
  const response = await fetch(`${server.origin}${path}`, { method: 'POST', headers, body })
  expect([response.status, await response.json()]).toEqual([400, expect.objectContaining(answer)])
})

it.each([
  ['QUERY', '/info.json', 'GET'],
  ['QUERY', '/2.3/club', 'GET, POST'],
  ['PATCH', '/v2.0.0/attachments/', 'GET, POST'],
  ['DELETE', '/v2.0.0/attachments/', 'GET, POST'],
])('answers %s %s with 405 and the methods that are there', async (method, path, allowed) => {
  const sent = request(`${server.origin}${path}`, { method }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, allowed])
})
