import { afterEach, describe, expect, it } from 'vitest'
import { createMockServer, type MockServer, type MockServerOptions } from '../../server'
import { TestClient } from '../../test-client'

let server: MockServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(options: MockServerOptions): Promise<TestClient> {
  server = await createMockServer({ autoApprove: true, ...options })
  return new TestClient(server)
}

const wellKnown = '/.well-known/vpn-user-portal'
const key2 = 'http://eduvpn.org/api#2'
const key3 = 'http://eduvpn.org/api#3'

async function keysAt(client: TestClient, path: string): Promise<string[] | 'page'> {
  const response = await client.get(path)
  expect(response.status).toBe(200)
  if (response.headers.get('content-type')?.startsWith('text/html') === true) return 'page'
  const { api } = (await response.json()) as { api: object }
  return Object.keys(api).filter((key) => key.startsWith('http://eduvpn.org/'))
}

describe('a portal', () => {
  it('with version 3 names its endpoints in the well-known document', async () => {
    const client = await start({ api: '3' })
    const response = await client.get(wellKnown)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({
      api: {
        [key3]: {
          api_endpoint: `${client.origin}/api/v3`,
          authorization_endpoint: `${client.origin}/oauth/authorize`,
          token_endpoint: `${client.origin}/oauth/token`,
        },
      },
      v: '3.13.1',
    })
  })

  it.each([
    ['2', [key2], [key2]],
    ['3', 'page', [key3]],
    ['2,3', [key2, key3], [key2, key3]],
  ] as const)('that offers %s names these versions', async (api, info, wellKnownKeys) => {
    const client = await start({ api })
    expect(await keysAt(client, '/info.json')).toEqual(info)
    expect(await keysAt(client, wellKnown)).toEqual(wellKnownKeys)
  })

  it.each([
    ['2', 200, 404],
    ['3', 404, 200],
    ['2,3', 200, 200],
  ] as const)('that offers %s answers the calls of those versions only', async (api, status2, status3) => {
    const client = await start({ api })
    const { accessToken } = await client.logIn()
    expect((await client.call(accessToken, '/profile_list')).status).toBe(status2)
    expect((await client.call3(accessToken, '/info')).status).toBe(status3)
  })

  it('redirects the well-known document where it is asked to', async () => {
    const client = await start({ api: '3', redirectDiscovery: 302 })
    const response = await client.get(wellKnown)
    expect(response.status).toBe(302)
    expect(await keysAt(client, response.headers.get('location') ?? '')).toEqual([key3])
    expect(await keysAt(client, '/info.json')).toBe('page')
  })

  it('changes its versions at run time, until a reset', async () => {
    const client = await start({ api: '2' })
    await client.control('PUT', '/portal', { api: '3', portalVersion: '3.4.3' })
    expect(await keysAt(client, '/info.json')).toBe('page')
    expect(await (await client.get(wellKnown)).json()).toMatchObject({ v: '3.4.3' })
    expect(await (await client.control('GET', '/portal')).json()).toEqual({
      api: '3',
      portalVersion: '3.4.3',
      maxConfigurations: 3,
      deleteAuthorizationOnDisconnect: false,
    })
    await client.control('POST', '/reset')
    expect(await keysAt(client, '/info.json')).toEqual([key2])
  })

  it.each([
    ['2', '3.4.3'],
    ['3', '2.4.5'],
  ] as const)('does not start with API %s as portal %s', async (api, portalVersion) => {
    await expect(createMockServer({ api, portalVersion })).rejects.toThrow('does not offer version')
  })
})
