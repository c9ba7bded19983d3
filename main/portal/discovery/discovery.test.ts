import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createHttpClient, type HttpClient } from '../../platform/http/http-client'
import { rejection, startTestServer } from '../../platform/http/test-server.testing'
import { createDiscovery } from './discovery'

const discovery = createDiscovery({ http: createHttpClient() })

function info(origin: string): string {
  return JSON.stringify({
    api: {
      'http://eduvpn.org/api#2': {
        api_base_uri: `${origin}/api/`,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
      },
    },
  })
}

/** Serves info.json below /final/, and whatever `others` says elsewhere. */
async function instance(others: RequestListener): Promise<{ origin: string; asked: () => string[] }> {
  const server = await startTestServer((request, response) => {
    if (request.url === '/final/info.json') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(info(server.origin))
    } else others(request, response)
  })
  return { origin: server.origin, asked: () => server.requests.map((request) => String(request.url)) }
}

const redirectTo =
  (location: string, status = 302): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { location }).end()
  }

describe('asking for info.json', () => {
  it('finds it relative to a base address with a path', async () => {
    const { origin, asked } = await instance((_request, response) => response.writeHead(500).end())
    expect(await discovery.discover(`${origin}/final/`)).toEqual({
      apiVersion: 2,
      apiBaseUri: `${origin}/api`,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      services: {},
    })
    expect(asked()).toEqual(['/final/info.json'])
  })

  it.each([
    [404, 'discovery/not-found'],
    [403, 'discovery/server-error'],
    [503, 'discovery/server-error'],
    [304, 'discovery/server-error'],
  ])('says what status %i means', async (status, code) => {
    const { origin } = await instance((_request, response) => response.writeHead(status).end('{"api":{}}'))
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({ code, details: { status } })
  })

  it('says that a web page is no description of a VPN service', async () => {
    const { origin } = await instance((_request, response) => response.end('<html>Welcome</html>'))
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({ code: 'discovery/not-json' })
  })

  it('does not read 50 MB', async () => {
    const { origin } = await instance((_request, response) => {
      response.writeHead(200, { 'content-length': '50000000' }).write(Buffer.alloc(1_000_000, 'x'))
    })
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({ code: 'http/too-large' })
  })

  it('can be cancelled', async () => {
    const cancel = new AbortController()
    const { origin } = await instance(() => {
      cancel.abort()
    })
    expect(await rejection(discovery.discover(`${origin}/`, cancel.signal))).toMatchObject({
      code: 'http/cancelled',
    })
  })
})

describe('a portal without a usable info.json', () => {
  const version3: RequestListener = (_request, response) => {
    response.end(JSON.stringify({ api: { 'http://eduvpn.org/api#3': {} }, v: '3.8.2' }))
  }
  const signInPage: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
  }
  const notFound: RequestListener = (_request, response) => {
    response.writeHead(404).end()
  }
  const portal = (infoJson: RequestListener, wellKnown: RequestListener) =>
    instance((request, response) => {
      if (request.url === '/.well-known/vpn-user-portal') wellKnown(request, response)
      else infoJson(request, response)
    })

  it.each([
    ['a page', signInPage],
    ['404', notFound],
    [
      'a redirect to a page',
      (request, response) => {
        const answer = request.url === '/info.json' ? redirectTo('/login') : signInPage
        answer(request, response)
      },
    ],
  ] as const satisfies readonly (readonly [string, RequestListener])[])(
    'is one of version 3 where the well-known document says so, and info.json is %s',
    async (_what, infoJson) => {
      const { origin } = await portal(infoJson, version3)
      expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({
        code: 'discovery/unsupported-version',
        details: { host: new URL(origin).host, versions: [3] },
      })
    },
  )

  it.each([
    ['not there', notFound],
    ['a page too', signInPage],
    ['broken off', (_request, response) => response.destroy()],
    ['one of version 2', (_request, response) => response.end(info('http://127.0.0.1:1'))],
  ] as const satisfies readonly (readonly [string, RequestListener])[])(
    'keeps its own error where the well-known document is %s',
    async (_what, wellKnown) => {
      const { origin, asked } = await portal(signInPage, wellKnown)
      expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({ code: 'discovery/not-json' })
      expect(asked()).toEqual(['/info.json', '/.well-known/vpn-user-portal'])
    },
  )
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('follows a %i, relative to the address that gave it', async (status) => {
    const { origin } = await instance(redirectTo('../final/info.json', status))
    expect(await discovery.discover(`${origin}/old/`)).toMatchObject({ tokenEndpoint: `${origin}/token` })
  })

  it('follows five', async () => {
    const { origin, asked } = await instance((request, response) => {
      const step = Number(/\/step(\d)/.exec(request.url ?? '')?.[1] ?? 0)
      redirectTo(step === 4 ? '/final/info.json' : `/step${step + 1}`)(request, response)
    })
    expect(await discovery.discover(`${origin}/`)).toMatchObject({ apiBaseUri: `${origin}/api` })
    expect(asked()).toHaveLength(6)
  })

  it('does not follow a sixth, so that a loop ends', async () => {
    const { origin, asked } = await instance(redirectTo('/info.json'))
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({
      code: 'discovery/too-many-redirects',
    })
    expect(asked()).toHaveLength(6)
  })

  it.each(['http://vpn.example.org/info.json', 'http://192.168.1.1/'])(
    'does not follow one to plain http in the network: %s',
    async (location) => {
      const { origin } = await instance(redirectTo(location))
      expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({
        code: 'discovery/insecure-redirect',
      })
    },
  )

  it('does not follow one from https to http, not even to this machine', async () => {
    const asked: string[] = []
    const http: HttpClient = createHttpClient({
      fetch: (input) => {
        if (input instanceof URL) asked.push(input.href)
        return Promise.resolve(
          new Response(null, { status: 301, headers: { location: 'http://127.0.0.1:8080/info.json' } }),
        )
      },
    })
    expect(await rejection(createDiscovery({ http }).discover('https://vpn.example.org/'))).toMatchObject({
      code: 'discovery/insecure-redirect',
    })
    expect(asked).toEqual(['https://vpn.example.org/info.json'])
  })

  it.each([
    '',
    'https://',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://user:secret@vpn.example.org/',
  ])('does not follow one to %j', async (location) => {
    const { origin } = await instance(redirectTo(location))
    const error = await rejection(discovery.discover(`${origin}/`))
    expect(error).toMatchObject({ code: 'discovery/invalid-redirect' })
    expect(JSON.stringify(error) + String(error)).not.toContain('secret')
  })

  it('says that one leads nowhere', async () => {
    const { origin } = await instance((_request, response) => response.writeHead(302).end())
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({
      code: 'discovery/invalid-redirect',
    })
  })
})
