import { describe, expect, it } from 'vitest'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection, startTestServer } from '../../platform/http/test-server.testing'
import { createDiscovery } from './discovery'
import { findInstance } from './find-instance'

const info = JSON.stringify({
  api: {
    'http://eduvpn.org/api#2': {
      api_base_uri: 'http://127.0.0.1/api',
      authorization_endpoint: 'http://127.0.0.1/authorize',
      token_endpoint: 'http://127.0.0.1/token',
    },
  },
})

/** A server with these answers by path, 404 elsewhere. */
async function portal(answers: Readonly<Record<string, readonly [number, string]>>) {
  const server = await startTestServer((request, response) => {
    const [status, text] = answers[request.url ?? ''] ?? [404, 'Not Found']
    response.writeHead(status).end(text)
  })
  const discovery = createDiscovery({ http: createHttpClient() })
  return {
    origin: server.origin,
    asked: () => server.requests.map(({ url }) => url),
    find: (path: string) =>
      findInstance(`${server.origin}${path}`, ({ address }) => discovery.discover(address)),
  }
}

describe('an address copied from the browser', () => {
  it.each([
    '/vpn-user-portal/account',
    '/vpn-user-portal/',
    '/portal/account?lang=nl#sessions',
    '/?next=home',
    '/#top',
  ])('leads to the service at its origin: %s', async (path) => {
    const { origin, find } = await portal({ '/info.json': [200, info] })
    expect(await find(path)).toMatchObject({ address: `${origin}/` })
  })

  it('is used if there is a service, without a request to its origin', async () => {
    const { origin, find, asked } = await portal({
      '/info.json': [200, info],
      '/portal/info.json': [200, info],
    })
    expect(await find('/portal')).toMatchObject({ address: `${origin}/portal/` })
    expect(asked()).toEqual(['/.well-known/vpn-user-portal', '/portal/info.json'])
  })

  it('leads to a portal of version 3 at its origin, which every address of the host finds', async () => {
    const version3 = info.replace('#2', '#3').replace('api_base_uri', 'api_endpoint')
    const { origin, find } = await portal({ '/.well-known/vpn-user-portal': [200, version3] })
    expect(await find('/vpn-user-portal/home')).toMatchObject({ address: `${origin}/` })
    expect(await find('/')).toMatchObject({ address: `${origin}/` })
  })

  it.each<[number, string]>([
    [200, '<html>Log in</html>'],
    [403, 'Forbidden'],
  ])('may be answered by a page with status %i', async (status, text) => {
    const { origin, find } = await portal({
      '/info.json': [200, info],
      '/portal/account/info.json': [status, text],
    })
    expect(await find('/portal/account')).toMatchObject({ address: `${origin}/` })
  })

  it('is reported with its origin if there is no service at either', async () => {
    const { origin, find } = await portal({})
    const tried = [`${origin}/portal/account/`, `${origin}/`]
    const error = await rejection(find('/portal/account?token=secret'))
    expect(error).toMatchObject({ code: 'discovery/not-found', details: { tried } })
    expect(String(error)).toContain(`at any of these addresses: ${tried.join(', ')}.`)
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  it('is not replaced by its origin after an internal error of the server', async () => {
    const { find, asked } = await portal({ '/info.json': [200, info], '/portal/info.json': [503, ''] })
    expect(await rejection(find('/portal'))).toMatchObject({ code: 'discovery/server-error' })
    expect(asked()).toEqual(['/.well-known/vpn-user-portal', '/portal/info.json'])
  })

  it('reports the error of the service at its origin', async () => {
    const { find } = await portal({ '/info.json': [200, '{"api": {}}'] })
    expect(await rejection(find('/portal'))).toMatchObject({ code: 'discovery/no-vpn-api' })
  })
})
