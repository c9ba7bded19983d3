import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { serveMock } from '../test-server'
import { isOwnHost } from './control'

const { server } = await serveMock()

/** Sends a request with headers that fetch does not allow; returns the status. */
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

  it("are allowed for programs and for the mock's own pages", async () => {
    const { port } = new URL(server.origin)
    expect(await reset({})).toBe(200)
    expect(await reset({ origin: server.origin })).toBe(200)
    expect(await reset({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).toBe(200)
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'http://localhost'])(
    'from a page at %s are refused',
    async (origin) => {
      expect(await reset({ origin })).toBe(403)
    },
  )

  it('under a foreign host name are refused, reading included', async () => {
    expect(await reset({ host: 'evil.example' })).toBe(403)
    expect(await reset({ host: 'evil.example', origin: 'http://evil.example' })).toBe(403)
    expect(await status('GET', '/_mock/requests', { host: 'evil.example' })).toBe(403)
    expect(await status('GET', '/_mock/events', { host: '127.0.0.1.evil.example' })).toBe(403)
    // Services that the mock plays are open to everyone, like the real ones.
    expect(await status('GET', '/info.json', { host: 'evil.example', origin: 'https://evil.example' })).toBe(
      200,
    )
  })
})

it.each([
  ['127.0.0.1', '127.0.0.1', true],
  ['localhost', '127.0.0.1', true],
  ['mock.localhost', '127.0.0.1', true],
  ['::1', '127.0.0.1', true],
  ['192.168.1.5', '192.168.1.5', true],
  // The address of the host's loopback in an Android emulator. A page cannot make its name an address.
  ['10.0.2.2', '127.0.0.1', true],
  ['192.168.1.5', '0.0.0.0', true],
  ['mock', '0.0.0.0', true],
  ['mock', '127.0.0.1', false],
  ['mock.evil.example', '0.0.0.0', false],
  ['mock.evil.example', '::', false],
  ['localhost.evil.example', '127.0.0.1', false],
  ['mock.test.example', '127.0.0.1', true],
])('control calls to %s on a mock that listens on %s are accepted: %s', (name, listening, expected) => {
  expect(isOwnHost(name, listening, 'mock.test.example')).toBe(expected)
})
