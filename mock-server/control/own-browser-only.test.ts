import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer } from '../server'
import { isOwnHost } from './own-browser-only'

let server: MockServer
beforeAll(async () => {
  server = await createMockServer()
})
afterAll(() => server.close())

/** With headers that fetch would not let through. */
function status(method: string, path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(server.origin)
    request({ hostname, port, method, path, headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('control calls', () => {
  const reset = (headers: Record<string, string>) => status('POST', '/_mock/reset', headers)

  it('are for programs, and for pages of this mock', async () => {
    const { port } = new URL(server.origin)
    expect(await reset({})).toBe(200)
    expect(await reset({ origin: server.origin })).toBe(200)
    expect(await reset({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200)
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    'of a page at %s are refused',
    async (origin) => {
      expect(await reset({ origin })).toBe(403)
    },
  )

  it('and what they tell are refused for a name that leads here by a trick', async () => {
    expect(await reset({ host: 'evil.example' })).toBe(403)
    expect(await reset({ host: 'evil.example', origin: 'http://evil.example' })).toBe(403)
    expect(await status('GET', '/_mock/requests', { host: 'evil.example' })).toBe(403)
    expect(await status('GET', '/_mock/events', { host: '127.0.0.1.evil.example' })).toBe(403)
    // What is played is for everyone, as the real services are.
    expect(await status('GET', '/info.json', { host: 'evil.example', origin: 'https://evil.example' })).toBe(
      200,
    )
  })
})

it.each([
  ['127.0.0.1:5006', '127.0.0.1', true],
  ['localhost:5006', '127.0.0.1', true],
  ['mock.localhost', '127.0.0.1', true],
  ['[::1]:5006', '127.0.0.1', true],
  ['192.168.1.5:5006', '192.168.1.5', true],
  ['192.168.1.5:5006', '127.0.0.1', false],
  ['192.168.1.5:5006', '0.0.0.0', true],
  ['mock:5006', '0.0.0.0', true],
  ['mock:5006', '127.0.0.1', false],
  ['mock.evil.example:5006', '0.0.0.0', false],
  ['mock.evil.example', '::', false],
  ['localhost.evil.example', '127.0.0.1', false],
  ['', '127.0.0.1', false],
  ['a b', '127.0.0.1', false],
])('%s is a name of a mock on %s: %s', (host, listening, expected) => {
  expect(isOwnHost(host, listening)).toBe(expected)
})
