import type { RequestListener } from 'node:http'
import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import type { HttpRequest } from '../../platform/http/http-client'
import { rejection } from '../../platform/http/test-server.testing'
import { authorize } from './authorization'
import { browserThat, startPortal, type BrowserVisit, type TestPortal } from './portal.testing'
import { probeCode } from './probe'

const clientId = 'org.causeway.app.linux'
const redirected: RequestListener = (_request, response) =>
  response.writeHead(302, { location: 'http://127.0.0.1:1/callback?code=of-the-probe' }).end()

const answers =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': body.startsWith('{') ? 'application/json' : 'text/html' })
      .end(body)

function logIn(
  { instance, endpoints, http }: TestPortal,
  visits: BrowserVisit[],
  more: Partial<Parameters<typeof authorize>[0]> = {},
): ReturnType<typeof authorize> {
  const openBrowser = browserThat({}, visits)
  const { signal } = new AbortController()
  return authorize({
    instance,
    endpoints,
    http,
    clientId,
    openBrowser,
    signal,
    hasSentIssuer: false,
    onIssuerSent: () => Promise.resolve(),
    knowsOthers: () => Promise.resolve(false),
    ...more,
  })
}

describe('a login at a portal where the client is not registered', () => {
  it.each([
    [
      'in JSON',
      answers(401, '{"error":"invalid_client","error_description":"unknown client"}'),
      'invalid_client',
    ],
    [
      'on a page',
      answers(401, '<h1>Error</h1><p>ERROR: <code>invalid_client</code> (client does not exist)</p>'),
      'invalid_client',
    ],
    ['by another name', answers(400, '{"error":"unauthorized_client"}'), 'unauthorized_client'],
  ])('ends before the browser opens, where the portal says so %s', async (_how, answer, error) => {
    const portal = await startPortal()
    portal.authorize = answer
    const visits: BrowserVisit[] = []
    expect(await rejection(logIn(portal, visits))).toMatchObject({
      code: 'oauth/client-refused',
      message: expect.stringContaining(
        `causeway instance set --client-id ID ${portal.instance.id}`,
      ) as string,
      details: { instance: portal.instance.id, clientId, error },
    })
    expect(visits).toEqual([])
  })
})

describe('a portal that checks the request only after the sign-in', () => {
  it.each([401, 400])(
    'is asked at its token endpoint, which refuses an unknown client (%i)',
    async (status) => {
      const portal = await startPortal()
      portal.checkClient = answers(
        status,
        '{"error":"invalid_client","error_description":"client does not exist"}',
      )
      const visits: BrowserVisit[] = []
      expect(await rejection(logIn(portal, visits))).toMatchObject({
        code: 'oauth/client-refused',
        details: { instance: portal.instance.id, clientId, error: 'invalid_client' },
      })
      expect(visits).toEqual([])
      expect(portal.clientChecks.map((form) => Object.fromEntries(form))).toEqual([
        {
          grant_type: 'authorization_code',
          code: probeCode,
          redirect_uri: portal.probes[0]?.get('redirect_uri'),
          client_id: clientId,
          code_verifier: expect.stringMatching(/^[\w.~-]{43,128}$/) as string,
        },
      ])
    },
  )

  it.each<[string, RequestListener]>([
    ['the refusal of the code', answers(400, '{"error":"invalid_grant"}')],
    ['an error of the server', answers(500, '{"error":"invalid_client"}')],
    ['a web page', answers(200, '<title>invalid_client</title>')],
    ['nothing', (request) => request.socket.destroy()],
  ])('goes on in the browser after %s', async (_what, answer) => {
    const portal = await startPortal()
    portal.checkClient = answer
    const visits: BrowserVisit[] = []
    expect(await logIn(portal, visits)).toMatchObject({ accessToken: 'access-1' })
    expect(visits).toHaveLength(1)
  })

  it.each<[string, RequestListener]>([
    [
      'sends the browser back',
      (request, response) => {
        const redirect = new URL(request.url ?? '', 'http://portal').searchParams.get('redirect_uri') ?? ''
        response.writeHead(302, { location: `${redirect}?code=of-the-probe` }).end()
      },
    ],
    ['asks to approve the client', answers(200, `<dd>${clientId}</dd>`)],
  ])('is not asked where its page %s', async (_what, answer) => {
    const portal = await startPortal()
    portal.authorize = answer
    await logIn(portal, [])
    expect(portal.clientChecks).toEqual([])
  })
})

it('ends before the browser opens where the portal speaks no TLS that its API may use', async () => {
  const portal = await startPortal()
  const tooOld = new CausewayError('http/tls-too-old')
  for (const method of [undefined, 'POST']) {
    const visits: BrowserVisit[] = []
    const http: TestPortal['http'] = {
      send: (url, request) =>
        request?.method === method ? Promise.reject(tooOld) : portal.http.send(url, request),
    }
    await expect(logIn(portal, visits, { http })).rejects.toBe(tooOld)
    expect(visits).toEqual([])
  }
})

it('ends before the browser opens if the portal refuses the request for another reason', async () => {
  const portal = await startPortal()
  portal.authorize = answers(400, '<p>ERROR: invalid_scope (the scope must be "config")</p>')
  const visits: BrowserVisit[] = []
  expect(await rejection(logIn(portal, visits))).toMatchObject({
    code: 'oauth/authorization-failed',
    details: { error: 'invalid_scope' },
  })
  expect(visits).toEqual([])
})

it.each<[string, RequestListener]>([
  ['a page to sign in', answers(200, '<title>ERROR: invalid_client</title>')],
  ['a code at once', redirected],
  ['400 without an OAuth error', answers(400, '<h1>Bad request</h1>')],
  ['400 with another error', answers(400, '{"error":"teapot"}')],
  ['400 with JSON that is not an OAuth error', answers(400, '["invalid_client"]')],
  ['403', answers(403, '{"error":"invalid_client"}')],
  ['500', answers(500, '{"error":"invalid_client"}')],
  ['a page without end', answers(401, `ERROR: invalid_client${' '.repeat(300_000)}`)],
  ['nothing', (request) => request.socket.destroy()],
])('goes on in the browser after %s', async (_what, answer) => {
  const portal = await startPortal()
  portal.authorize = answer
  const visits: BrowserVisit[] = []
  expect(await logIn(portal, visits)).toMatchObject({ accessToken: 'access-1' })
  expect(visits).toHaveLength(1)
  expect(portal.tokenRequests.map(({ form }) => form.get('code'))).toEqual(['the-code'])
})

it('sends the request of the browser with a different state and challenge', async () => {
  const portal = await startPortal()
  const visits: BrowserVisit[] = []
  await logIn(portal, visits)
  const [probe] = portal.probes.map((query) => Object.fromEntries(query))
  const browser = Object.fromEntries(visits[0]?.authorization.searchParams ?? [])
  expect(Object.keys(probe ?? {})).toEqual(Object.keys(browser))
  expect(probe).toMatchObject({ client_id: clientId, redirect_uri: browser.redirect_uri, scope: 'config' })
  expect(probe?.state).not.toBe(browser.state)
  expect(probe?.code_challenge).not.toBe(browser.code_challenge)
})

it('waits for the portal for at most three seconds', async () => {
  const portal = await startPortal()
  const asked: (HttpRequest | undefined)[] = []
  const http: TestPortal['http'] = {
    send: (url, request) => {
      if (request?.method === undefined) asked.push(request)
      return portal.http.send(url, request)
    },
  }
  await logIn(portal, [], { http })
  expect(asked.map((request) => request?.timeoutMs)).toEqual([3000])
})

it('can be cancelled while it waits', async () => {
  const portal = await startPortal()
  const cancel = new AbortController()
  portal.authorize = () => {
    cancel.abort()
  }
  const visits: BrowserVisit[] = []
  expect(await rejection(logIn(portal, visits, { signal: cancel.signal }))).toMatchObject({
    code: 'oauth/cancelled',
  })
  expect(visits).toEqual([])
})
