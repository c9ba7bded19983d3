import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
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
    expect(asked()).toEqual(['/.well-known/vpn-user-portal', '/final/info.json'])
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

  it('reports a web page as not being a VPN service', async () => {
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
    expect(await rejection(discovery.discover(`${origin}/`, { signal: cancel.signal }))).toMatchObject({
      code: 'http/cancelled',
    })
  })
})

describe('the well-known document', () => {
  const wellKnown = '/.well-known/vpn-user-portal'
  const infoJson = '/info.json'
  const signInPage: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')
  }
  const notFound: RequestListener = (_request, response) => {
    response.writeHead(404).end()
  }
  /** Answers with both versions, or one of them. */
  const versions =
    (...offered: readonly (2 | 3)[]): RequestListener =>
    (request, response) => {
      const base = `http://${String(request.headers.host)}`
      const endpoints = { authorization_endpoint: `${base}/authorize`, token_endpoint: `${base}/token` }
      const all = {
        2: { api_base_uri: `${base}/api/`, ...endpoints },
        3: { api_endpoint: `${base}/api/v3`, ...endpoints },
      }
      const api = Object.fromEntries(
        offered.map((version) => [`http://eduvpn.org/api#${version}`, all[version]]),
      )
      response.end(JSON.stringify({ api, v: '3.8.2' }))
    }
  const portal = (atWellKnown: RequestListener, atInfoJson: RequestListener) =>
    instance((request, response) => {
      if (request.url === wellKnown) atWellKnown(request, response)
      else atInfoJson(request, response)
    })

  it('is used without asking for info.json', async () => {
    const { origin, asked } = await portal(versions(3), versions(2))
    expect(await discovery.discover(`${origin}/`)).toEqual({
      apiVersion: 3,
      apiBaseUri: `${origin}/api/v3`,
      authorizationEndpoint: `${origin}/authorize`,
      tokenEndpoint: `${origin}/token`,
      sendsIssuer: true,
      services: {},
    })
    expect(asked()).toEqual([wellKnown])
  })

  const failures: readonly [string, RequestListener, string][] = [
    ['a server error', (_request, response) => response.writeHead(503).end(), 'discovery/server-error'],
    ['a web page', signInPage, 'discovery/not-json'],
    ['a reset', (request) => request.socket.destroy(), 'http/unreachable'],
  ]
  it.each(failures)('says nothing about a known version 3 with %s', async (_what, failing, code) => {
    const { origin } = await portal(failing, versions(2))
    const discover = (known: boolean) =>
      discovery.discover(`${origin}/`, { hasVersion3: () => Promise.resolve(known) })
    expect(await rejection(discover(true))).toMatchObject({ code })
    expect(await discover(false)).toMatchObject({ apiVersion: 2 })
  })

  it.each<[string, RequestListener]>([
    ['is missing', notFound],
    ['is gone', (_request, response) => response.writeHead(410).end()],
    ['names version 2 only', versions(2)],
    ['names no version', (_request, response) => response.end('{"api":{}}')],
  ])('ends a known version 3 where it %s', async (_what, atWellKnown) => {
    const { origin } = await portal(atWellKnown, versions(2))
    const hasVersion3 = () => Promise.resolve(true)
    expect(await discovery.discover(`${origin}/`, { hasVersion3 })).toMatchObject({ apiVersion: 2 })
  })

  it('is at the root of the host, whatever the path of the instance', async () => {
    const { origin } = await portal(versions(3), notFound)
    expect(await discovery.discover(`${origin}/portal/`)).toMatchObject({ apiVersion: 3 })
  })

  it.each<[string, RequestListener]>([
    ['is missing', notFound],
    ['is a page', signInPage],
    ['is cut off', (_request, response) => response.destroy()],
    ['redirects to plain http', redirectTo('http://vpn.example.org/')],
    ['describes version 3 wrongly', (_request, response) => response.end('{"api":{"http://x/api#3":{}}}')],
    ['names only version 2', versions(2)],
    ['names an unknown version only', (_request, response) => response.end('{"api":{"http://x/api#4":{}}}')],
  ])('is replaced by info.json if it %s, with one extra request', async (_what, atWellKnown) => {
    const { origin, asked } = await portal(atWellKnown, versions(2))
    expect(await discovery.discover(`${origin}/`)).toMatchObject({ apiVersion: 2 })
    expect(asked()).toEqual([wellKnown, infoJson])
  })

  it('is enough for version 2 if there is no info.json', async () => {
    const { origin } = await portal(versions(2), notFound)
    expect(await discovery.discover(`${origin}/`)).toMatchObject({ apiVersion: 2 })
  })

  it.each([['/'], ['/portal/']])('hides no broken info.json of version 2: %s', async (path) => {
    const cutOff: RequestListener = (_request, response) => response.end('{"api": {')
    const { origin } = await portal(versions(2), cutOff)
    expect(await rejection(discovery.discover(`${origin}${path}`))).toMatchObject({
      code: 'discovery/not-json',
    })
  })

  it('makes version 3 preferred also if info.json names both', async () => {
    const { origin } = await portal(notFound, versions(2, 3))
    expect(await discovery.discover(`${origin}/`)).toMatchObject({ apiVersion: 3 })
  })

  it.each<[string, RequestListener, string]>([
    [
      'unsupported version',
      (_request, response) => response.end('{"api":{"http://x/api#4":{}}}'),
      'discovery/unsupported-version',
    ],
    ['internal error', (_request, response) => response.writeHead(503).end(), 'discovery/server-error'],
    ['page', signInPage, 'discovery/not-found'],
  ])('decides on the error if there is no info.json: %s', async (_what, atWellKnown, code) => {
    const { origin } = await portal(atWellKnown, notFound)
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({ code })
  })

  it('is not asked for if version 2 is set', async () => {
    const { origin, asked } = await portal(versions(3), versions(2, 3))
    expect(await discovery.discover(`${origin}/`, { wanted: 2 })).toMatchObject({ apiVersion: 2 })
    expect(asked()).toEqual([infoJson])
  })

  it('must name version 3 if that is set', async () => {
    const { origin } = await portal(notFound, versions(2))
    expect(await rejection(discovery.discover(`${origin}/`, { wanted: 3 }))).toMatchObject({
      code: 'discovery/unsupported-version',
      details: { versions: [2], wanted: 3 },
    })
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('follows a %i, relative to the address that gave it', async (status) => {
    const { origin } = await instance(redirectTo('../final/info.json', status))
    expect(await discovery.discover(`${origin}/old/`)).toMatchObject({ tokenEndpoint: `${origin}/token` })
  })

  it('follows five', async () => {
    const { origin, asked } = await instance((request, response) => {
      if (request.url === '/.well-known/vpn-user-portal') {
        response.writeHead(404).end()
        return
      }
      const step = Number(/\/step(\d)/.exec(request.url ?? '')?.[1] ?? 0)
      redirectTo(step === 4 ? '/final/info.json' : `/step${step + 1}`)(request, response)
    })
    expect(await discovery.discover(`${origin}/`)).toMatchObject({ apiBaseUri: `${origin}/api` })
    expect(asked()).toHaveLength(7)
  })

  it('does not follow a sixth, so that a loop ends', async () => {
    const { origin, asked } = await instance((request, response) => {
      redirectTo('/info.json', request.url === '/info.json' ? 302 : 404)(request, response)
    })
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({
      code: 'discovery/too-many-redirects',
    })
    expect(asked()).toHaveLength(7)
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
    const headers = new Headers({ location: 'http://127.0.0.1:8080/info.json' })
    const http: HttpClient = {
      send: (url) => {
        asked.push(url.href)
        return Promise.resolve({ url, status: 301, headers, text: '' })
      },
    }
    expect(await rejection(createDiscovery({ http }).discover('https://vpn.example.org/'))).toMatchObject({
      code: 'discovery/insecure-redirect',
    })
    expect(asked).toEqual([
      'https://vpn.example.org/.well-known/vpn-user-portal',
      'https://vpn.example.org/info.json',
    ])
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

  it('reports one without a valid target', async () => {
    const { origin } = await instance((_request, response) => response.writeHead(302).end())
    expect(await rejection(discovery.discover(`${origin}/`))).toMatchObject({
      code: 'discovery/invalid-redirect',
    })
  })
})

describe('a portal with both versions and TLS 1.2 only', () => {
  const origin = 'https://vpn.example.org'
  const oauth = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` }
  const both = {
    'http://eduvpn.org/api#2': { api_base_uri: `${origin}/api`, ...oauth },
    'http://eduvpn.org/api#3': { api_endpoint: `${origin}/api/v3`, ...oauth },
  }

  function portal(api: object, tooOld: readonly string[] = [origin], hasTls13?: boolean) {
    const asked: string[] = []
    const http: HttpClient = {
      send: (url, request) => {
        asked.push(url.pathname)
        if (request?.tls13 === true && tooOld.includes(url.origin))
          return Promise.reject(new CausewayError('http/tls-too-old'))
        return Promise.resolve({
          url,
          status: /vpn-user-portal$|info\.json$/.test(url.pathname) ? 200 : 401,
          headers: new Headers(),
          text: JSON.stringify({ api }),
          hasTls13,
        })
      },
    }
    const discovery = createDiscovery({ http })
    const discover: typeof discovery.discover = (...given) => discovery.discover(...given)
    return { asked, discover }
  }

  it('is used with version 2', async () => {
    const { asked, discover } = portal(both)
    expect(await discover(`${origin}/`)).toMatchObject({ apiVersion: 2, apiBaseUri: `${origin}/api` })
    // That document may describe another portal on the same host, as always with version 2.
    expect(asked).toEqual(['/.well-known/vpn-user-portal', '/api/v3/info', '/info.json', '/api/v3/info'])
  })

  const login = 'https://login.example.org'
  const loginElsewhere = {
    ...both,
    'http://eduvpn.org/api#3': { ...both['http://eduvpn.org/api#3'], token_endpoint: `${login}/token` },
  }

  it('is used with version 2 where only the token endpoint is that old', async () => {
    const { discover } = portal(loginElsewhere, [login])
    expect(await discover(`${origin}/`)).toMatchObject({ apiVersion: 2 })
  })

  it.each([
    [true, 3, ['/.well-known/vpn-user-portal']],
    [false, 2, ['/.well-known/vpn-user-portal', '/info.json']],
  ])(
    'is asked nothing more where the documents’ connections tell: %s',
    async (hasTls13, apiVersion, expected) => {
      const { asked, discover } = portal(both, [], hasTls13)
      expect(await discover(`${origin}/`)).toMatchObject({ apiVersion })
      expect(asked).toEqual(expected)
    },
  )

  it('is asked without a token at another host only, and not with a login of version 3', async () => {
    const { asked, discover } = portal(loginElsewhere, [login], true)
    expect(await discover(`${origin}/`, { hasVersion3: () => Promise.resolve(true) })).toMatchObject({
      apiVersion: 3,
    })
    expect(asked).toEqual(['/.well-known/vpn-user-portal'])
    expect(await discover(`${origin}/`)).toMatchObject({ apiVersion: 2 })
    expect(asked.slice(1)).toEqual(['/.well-known/vpn-user-portal', '/token', '/info.json', '/token'])
  })

  it('keeps version 3 where a login was made with it, or where it was asked for', async () => {
    const { discover } = portal(both)
    const hasVersion3 = () => Promise.resolve(true)
    expect(await discover(`${origin}/`, { hasVersion3 })).toMatchObject({ apiVersion: 3 })
    expect(await discover(`${origin}/`, { wanted: 3 })).toMatchObject({ apiVersion: 3 })
  })

  it('is asked nothing more where its document names version 3 only', async () => {
    const { asked, discover } = portal({ 'http://eduvpn.org/api#3': both['http://eduvpn.org/api#3'] })
    expect(await discover(`${origin}/`)).toMatchObject({ apiVersion: 3 })
    expect(asked).toEqual(['/.well-known/vpn-user-portal'])
  })
})

it('uses version 3 of a portal with both versions and TLS 1.3', async () => {
  const origin = 'https://vpn.example.org'
  const oauth = { authorization_endpoint: `${origin}/authorize`, token_endpoint: `${origin}/token` }
  const text = JSON.stringify({
    api: {
      'http://eduvpn.org/api#2': { api_base_uri: `${origin}/api`, ...oauth },
      'http://eduvpn.org/api#3': { api_endpoint: `${origin}/api/v3`, ...oauth },
    },
  })
  const http: HttpClient = {
    send: (url) => Promise.resolve({ url, status: 200, headers: new Headers(), text }),
  }
  expect(await createDiscovery({ http }).discover(`${origin}/`)).toMatchObject({ apiVersion: 3 })
})
