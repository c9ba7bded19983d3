import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../server'
import { TestClient } from '../test-client'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: MockServerOptions = {}): Promise<TestClient> {
  server = await createMockServer(options)
  return new TestClient(server)
}

const places = ['/info.json', '//info.json', '/.well-known/vpn-user-portal']

describe('discovery', () => {
  it('names the endpoints under a key that ends in #2, at every path that clients request', async () => {
    const client = await start()
    for (const place of places) {
      const response = await client.get(place)
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('application/json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(await response.json()).toEqual({
        api: {
          'http://eduvpn.org/api#2': {
            api_base_uri: `${client.origin}/api/vpn`,
            authorization_endpoint: `${client.origin}/oauth/authorize`,
            token_endpoint: `${client.origin}/oauth/token`,
          },
          'https://causeway.example/attachments#2.0.0': { base_uri: `${client.origin}/v2.0.0` },
          'https://causeway.example/content#2.3': { base_uri: client.origin },
          'https://causeway.example/organizations#1': { base_uri: client.origin },
        },
        v: '2.4.5',
      })
    }
  })

  it('has no signature', async () => {
    const client = await start()
    expect((await client.get('/info.json.sig')).status).toBe(404)
  })

  it.each([301, 302, 303] as const)('redirects with %d to the document', async (status) => {
    const client = await start({ redirectDiscovery: status })
    for (const place of places) {
      const response = await client.get(place)
      expect(response.status).toBe(status)
      const document = await fetch(new URL(response.headers.get('location') ?? '', client.origin))
      expect(document.status).toBe(200)
      expect(await document.json()).toHaveProperty(['api', 'http://eduvpn.org/api#2'])
    }
  })

  it('returns addresses in brackets on IPv6', async () => {
    const client = await start({ host: '::1' })
    expect(client.origin).toMatch(/^http:\/\/\[::1\]:\d+$/)
    expect((await client.get('/info.json')).status).toBe(200)
  })
})
