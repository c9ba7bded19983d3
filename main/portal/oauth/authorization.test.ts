import { createHash } from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CausewayError } from '../../errors'
import { rejection } from '../../platform/http/test-server.testing'
import { authorize, type AuthorizationOptions } from './authorization'
import type { BrowserLogin } from './browser-logins'
import {
  authorizationAt,
  browserThat,
  issued,
  redirectOf,
  refused,
  startPortal,
  type BrowserVisit,
  type TestPortal,
} from './portal.testing'
import type { OpenBrowser } from './token-session'

const clientId = 'org.causeway.app.linux'

function login(
  portal: TestPortal,
  openBrowser: OpenBrowser,
  more: Partial<AuthorizationOptions> = {},
): ReturnType<typeof authorize> {
  const { instance, endpoints, http } = portal
  return authorize({
    instance,
    endpoints,
    http,
    clientId,
    openBrowser,
    signal: new AbortController().signal,
    hasSentIssuer: false,
    onIssuerSent: () => Promise.resolve(),
    knowsOthers: () => Promise.resolve(false),
    ...more,
  })
}

describe('an approved login', () => {
  it('sends all documented parameters, with a new state and challenge each time', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const openBrowser = browserThat({}, visits)
    await login(portal, openBrowser)
    await login(portal, openBrowser)

    const [first, second] = visits.map(({ authorization }) => Object.fromEntries(authorization.searchParams))
    const form = Object.fromEntries(portal.tokenRequests[0]?.form ?? [])
    expect(first).toEqual({
      client_id: clientId,
      redirect_uri: form.redirect_uri,
      response_type: 'code',
      scope: 'config',
      state: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      code_challenge: createHash('sha256').update(String(form.code_verifier)).digest('base64url'),
    })
    expect(form).toMatchObject({ grant_type: 'authorization_code', code: 'the-code', client_id: clientId })
    expect(second?.state).not.toBe(first?.state)
    expect(second?.code_challenge).not.toBe(first?.code_challenge)
  })

  it('keeps the query of the authorization endpoint', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const authorizationEndpoint = `${portal.endpoints.authorizationEndpoint}?tenant=a%20b`
    await login(portal, browserThat({}, visits), {
      endpoints: { ...portal.endpoints, authorizationEndpoint },
    })
    expect(visits[0]?.authorization.searchParams.get('tenant')).toBe('a b')
  })

  it('returns the tokens, reports the callback, and closes its port', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    let returned = 0
    const tokens = await login(portal, browserThat({}, visits), { onReturned: () => (returned += 1) })
    expect(tokens).toEqual({ accessToken: 'access-1', refreshToken: 'refresh-1', expiresIn: 3600 })
    expect(returned).toBe(1)
    expect(visits[0]?.page.status).toBe(200)
    const redirectUri = String(visits[0]?.authorization.searchParams.get('redirect_uri'))
    await expect(fetch(redirectUri)).rejects.toThrow()
  })

  it.each([
    ['an issuer that is the instance’s', (portal: TestPortal) => ({ iss: portal.instance.address })],
    [
      'an issuer without final slash',
      (portal: TestPortal) => ({ iss: portal.instance.address.slice(0, -1) }),
    ],
  ])('may come with %s', async (_name, answer) => {
    const portal = await startPortal()
    expect(await login(portal, browserThat(answer(portal)))).toMatchObject({ accessToken: 'access-1' })
  })

  it.each([
    ['another spelling of bearer', { token_type: 'Bearer' }],
    ['a scope', { scope: 'config' }],
    ['fields that we do not know', { user: { id: 1 } }],
  ])('may be answered with %s', async (_name, more) => {
    const portal = await startPortal(() => issued('access-1', more))
    expect(await login(portal, browserThat())).toMatchObject({ accessToken: 'access-1' })
  })

  it('accepts an answer without an expiry and a refresh token', async () => {
    const portal = await startPortal(() => ({ body: { access_token: 'a', token_type: 'bearer' } }))
    expect(await login(portal, browserThat())).toEqual({ accessToken: 'a' })
  })
})

describe('a login that is not approved', () => {
  it.each([
    [{ code: null }, 'oauth/invalid-callback'],
    [{ code: null, error: 'access_denied' }, 'oauth/access-denied'],
    [{ code: null, error: 'server_error' }, 'oauth/authorization-failed'],
    [{ iss: 'https://evil.example/' }, 'oauth/issuer-mismatch'],
  ])('ends at once and asks for no token: %j', async (answer, code) => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    expect(await rejection(login(portal, browserThat(answer, visits)))).toMatchObject({ code })
    expect(portal.tokenRequests).toHaveLength(0)
  })

  it.each(['tokenEndpoint', 'apiBaseUri'] as const)(
    'gives no code of a portal that names no issuer to another service: %s',
    async (name) => {
      const [portal, other] = [await startPortal(), await startPortal()]
      const endpoints = {
        ...portal.endpoints,
        [name]: other.endpoints[name].replace('127.0.0.1', 'localhost'),
      }
      const instance = {
        ...other.instance,
        address: other.instance.address.replace('127.0.0.1', 'localhost'),
      }
      expect(await rejection(login({ ...portal, instance, endpoints }, browserThat()))).toMatchObject({
        code: 'oauth/issuer-mismatch',
      })
      expect([...portal.tokenRequests, ...other.tokenRequests]).toEqual([])
    },
  )

  // On Windows, an address for the browser works once.
  const opensTwice = it.skipIf(process.platform === 'win32')

  opensTwice.each<Record<string, string | null>>([
    { state: 'wrong' },
    { state: null },
    { code: null, error: 'access_denied', state: 'wrong' },
  ])('is not ended by an answer that anybody may have sent: %j', async (answer) => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const openBrowser: OpenBrowser = async (url) => {
      await browserThat(answer, visits)(url)
      await browserThat({}, visits)(url)
    }
    expect(await login(portal, openBrowser)).toMatchObject({ accessToken: 'access-1' })
    expect(visits.map(({ page }) => page.status)).toEqual([400, 200])
    expect(portal.tokenRequests).toHaveLength(1)
  })

  opensTwice('is not ended by any number of such answers', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const openBrowser: OpenBrowser = async (url) => {
      for (let guess = 0; guess < 60; guess += 1) await browserThat({ state: 'wrong' }, visits)(url)
      await browserThat()(url)
    }
    expect(await login(portal, openBrowser)).toMatchObject({ accessToken: 'access-1' })
    expect(new Set(visits.map(({ page }) => page.status))).toEqual(new Set([400]))
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it('lets the browser be opened again while it waits, with a new address', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const waiting: BrowserLogin[] = []
    let ended = 0
    const opened: URL[] = []
    const tokens = login(
      portal,
      async (url, destination) => {
        opened.push(url)
        expect(destination).toEqual(waiting[0]?.link ?? destination)
        // The user closed the first browser by mistake.
        if (opened.length === 2) await browserThat({}, visits)(url)
      },
      {
        now: () => 1000,
        timeoutMs: 60_000,
        onWaiting: (login) => {
          waiting.push(login)
          void login.openAgain()
          return () => (ended += 1)
        },
      },
    )
    expect(await tokens).toMatchObject({ accessToken: 'access-1' })
    expect(waiting.map(({ until }) => until)).toEqual([61_000])
    expect(visits[0]?.authorization).toEqual(waiting[0]?.link)
    expect(new Set(opened.map(({ pathname }) => pathname)).size).toBe(2)
    expect(ended).toBe(1)
  })

  it('ends when the user cancels', async () => {
    const portal = await startPortal()
    const cancel = new AbortController()
    const opened: URL[] = []
    const openBrowser: OpenBrowser = (url) => {
      opened.push(url)
      cancel.abort()
      return Promise.resolve()
    }
    expect(await rejection(login(portal, openBrowser, { signal: cancel.signal }))).toMatchObject({
      code: 'oauth/cancelled',
    })
    await expect(fetch(opened[0] ?? '')).rejects.toThrow()
  })

  it('ends without opening the browser when the user cancels during the preparation', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const cancel = new AbortController()
    const outcome = rejection(login(portal, browserThat({}, visits), { signal: cancel.signal }))
    cancel.abort()
    expect(await outcome).toMatchObject({ code: 'oauth/cancelled' })
    expect(visits).toEqual([])
  })

  it('does not open the browser if the user has already cancelled', async () => {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    expect(
      await rejection(login(portal, browserThat({}, visits), { signal: AbortSignal.abort() })),
    ).toMatchObject({ code: 'oauth/cancelled' })
    expect(visits).toHaveLength(0)
  })

  it('times out without a callback, as after an error page of the portal', async () => {
    const portal = await startPortal()
    const error = await rejection(login(portal, () => Promise.resolve(), { timeoutMs: 20 }))
    expect(error).toMatchObject({ code: 'oauth/timed-out' })
  })

  it('ends when the browser cannot be opened', async () => {
    const portal = await startPortal()
    const error = new CausewayError('oauth/browser-not-opened')
    expect(await rejection(login(portal, () => Promise.reject(error)))).toBe(error)
  })

  it('ignores how the browser command ends after the callback', async () => {
    const portal = await startPortal()
    const openBrowser: OpenBrowser = async (url) => {
      await fetch(redirectOf(await authorizationAt(url)))
      throw new CausewayError('oauth/browser-not-opened')
    }
    expect(await login(portal, openBrowser)).toMatchObject({ accessToken: 'access-1' })
  })
})

describe('a login at one of several services, without an issuer', () => {
  /** Starts a login in which the user approves, and resolves with the page that asks. */
  async function question(more: Partial<AuthorizationOptions> = {}) {
    const portal = await startPortal()
    const visits: BrowserVisit[] = []
    const browser = browserThat({}, visits)
    let tokens: ReturnType<typeof login> = new Promise(() => undefined)
    const page = await new Promise<Response | undefined>((resolve) => {
      const openBrowser: OpenBrowser = async (url) => {
        await browser(url)
        resolve(visits[0]?.page)
      }
      tokens = login(portal, openBrowser, { knowsOthers: () => Promise.resolve(true), ...more })
      tokens.catch(() => undefined)
    })
    if (page === undefined) throw new Error('The browser has no page.')
    const html = await page.text()
    const { origin } = new URL(page.url)
    const answers = [...html.matchAll(/<form method="post" action="(\/[^"]+)"><button>(\w+)<\/button>/g)]
    const answerAt = (name: string) =>
      new URL(answers.find(([, , button]) => button === name)?.[1] ?? '/missing', origin)
    return { portal, tokens, page, html, origin, answerAt }
  }
  const post = (address: URL, headers: Readonly<Record<string, string>> = {}) =>
    fetch(address, { method: 'POST', headers })

  it('names the service that asked, and uses the code only after Continue', async () => {
    const { portal, tokens, page, html, answerAt } = await question()
    expect(html).toContain(`<h1>Continue to ${portal.instance.id}?</h1>`)
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining(
        "form-action 'self'; frame-ancestors 'none'",
      ) as string,
      'cross-origin-opener-policy': 'same-origin',
    })
    expect(html).not.toContain('the-code')
    expect(portal.tokenRequests).toEqual([])
    const own = { origin: answerAt('Continue').origin, 'sec-fetch-site': 'same-origin' }
    expect(await (await post(answerAt('Continue'), own)).text()).toContain('<h1>Approved</h1>')
    expect(await tokens).toMatchObject({ accessToken: 'access-1' })
    expect(portal.tokenRequests).toHaveLength(1)
  })

  it.each([
    ['another page', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['another port of this computer', { 'sec-fetch-site': 'same-site' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ] as [string, Record<string, string>][])('takes no answer from %s', async (_from, headers) => {
    const { portal, tokens, origin, answerAt } = await question()
    for (const name of ['Continue', 'Cancel']) expect((await post(answerAt(name), headers)).status).toBe(403)
    for (const path of ['/continue', '/continue/', '/continue/x', '/callback'])
      expect([404, 405]).toContain((await post(new URL(path, origin))).status)
    expect((await fetch(answerAt('Continue'))).status).toBe(405)
    expect(portal.tokenRequests).toEqual([])
    await post(answerAt('Continue'))
    expect(await tokens).toMatchObject({ accessToken: 'access-1' })
  })

  it('takes one answer', async () => {
    const { portal, tokens, answerAt } = await question()
    expect(await (await post(answerAt('Cancel'))).text()).toContain('The login was cancelled')
    // The port may be closed already.
    expect([400, 'closed']).toContain(
      await post(answerAt('Continue')).then(
        ({ status }) => status,
        () => 'closed',
      ),
    )
    expect(await rejection(tokens)).toMatchObject({ code: 'oauth/cancelled' })
    expect(portal.tokenRequests).toEqual([])
  })

  it('asks again when the page is loaded again, and forgets the question before', async () => {
    const { tokens, page, answerAt } = await question()
    const again = await fetch(page.url)
    const [, next = ''] = /action="(\/continue\/[^"]+)"/.exec(await again.text()) ?? []
    expect((await post(answerAt('Continue'))).status).toBe(404)
    await post(new URL(next, page.url))
    expect(await tokens).toMatchObject({ accessToken: 'access-1' })
  })

  it('ends with the time limit, or with Cancel in Causeway, while the page asks', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { portal, tokens } = await question()
    vi.advanceTimersByTime(5 * 60_000)
    expect(await rejection(tokens)).toMatchObject({ code: 'oauth/timed-out' })
    vi.useRealTimers()
    const cancel = new AbortController()
    const other = await question({ signal: cancel.signal })
    cancel.abort()
    expect(await rejection(other.tokens)).toMatchObject({ code: 'oauth/cancelled' })
    await expect(post(other.answerAt('Continue'))).rejects.toThrow()
    expect([...portal.tokenRequests, ...other.portal.tokenRequests]).toEqual([])
  })

  it('asks as well if the other services are unknown', async () => {
    const { html } = await question({ knowsOthers: () => Promise.reject(new Error('The list is damaged.')) })
    expect(html).toContain('Continue to')
  })
})

describe('the issuer of a service', () => {
  it('is remembered once it was sent, also with a refusal', async () => {
    const portal = await startPortal()
    const iss = portal.instance.address
    let sent = 0
    const onIssuerSent = () => {
      sent += 1
      return Promise.resolve()
    }
    const knowsOthers = () => Promise.resolve(true)
    await login(portal, browserThat({ iss }), { onIssuerSent, knowsOthers })
    await rejection(login(portal, browserThat({ iss, code: null, error: 'access_denied' }), { onIssuerSent }))
    await rejection(login(portal, browserThat({ iss: 'https://evil.example/' }), { onIssuerSent }))
    await login(portal, browserThat(), { onIssuerSent })
    expect(sent).toBe(2)
  })

  it('is written while the service answers, and has to be before the login ends', async () => {
    const portal = await startPortal()
    const iss = portal.instance.address
    const { answer } = portal
    const asked = new Promise<void>((resolve) => {
      portal.answer = (request) => {
        resolve()
        return answer(request)
      }
    })
    const unwritable = new CausewayError('data/unwritable', { details: { path: '/', reason: 'ENOSPC' } })
    const knowsOthers = () => Promise.resolve(true)
    await login(portal, browserThat({ iss }), { onIssuerSent: () => asked, knowsOthers })
    const onIssuerSent = () => Promise.reject(unwritable)
    expect(await rejection(login(portal, browserThat({ iss }), { onIssuerSent, knowsOthers }))).toBe(
      unwritable,
    )
  })

  it.each([
    ['that has sent it', { hasSentIssuer: true }, {}],
    ['whose version sends it', {}, { sendsIssuer: true as const }],
  ])('is demanded of one %s', async (_which, options, endpoints) => {
    const portal = await startPortal()
    const sent = login(portal, browserThat(), {
      ...options,
      endpoints: { ...portal.endpoints, ...endpoints },
    })
    expect(await rejection(sent)).toMatchObject({ code: 'oauth/issuer-mismatch' })
    expect(portal.tokenRequests).toEqual([])
  })
})

describe('a code that brings no tokens', () => {
  it.each([
    ['wrong verifier', () => refused(400, 'invalid_grant'), 'oauth/code-refused', { error: 'invalid_grant' }],
    [
      'unknown client',
      () => refused(401, 'invalid_client'),
      'oauth/code-refused',
      { error: 'invalid_client' },
    ],
    [
      'unknown client, as a challenge',
      () => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="x"' }, body: '' }),
      'oauth/code-refused',
      { status: 401 },
    ],
    ['back end down', () => refused(500, 'server_error'), 'oauth/server-error', { status: 500 }],
    ['a redirect', () => ({ status: 302, headers: { location: '/x' }, body: '' }), 'oauth/server-error', {}],
    [
      'too many requests',
      () => ({ status: 429, headers: { 'retry-after': '90' }, body: '' }),
      'service/busy',
      { status: 429, retryAfterSeconds: 90 },
    ],
    ['no JSON', () => ({ body: '<html>access-1</html>' }), 'oauth/invalid-token-response', {}],
    ['no object', () => ({ body: ['access-1'] }), 'oauth/invalid-token-response', {}],
    ['no content', () => ({ status: 204, body: '' }), 'oauth/invalid-token-response', {}],
    ['no token', () => issued('x', { access_token: undefined }), 'oauth/invalid-token-response', {}],
    ['a number', () => issued('x', { access_token: 7 }), 'oauth/invalid-token-response', {}],
    ['a token that breaks headers', () => issued('access-1\r\nX: y'), 'oauth/invalid-token-response', {}],
    ['a token with a letter no header takes', () => issued('access-1é'), 'oauth/invalid-token-response', {}],
    ['another type', () => issued('access-1', { token_type: 'mac' }), 'oauth/invalid-token-response', {}],
    ['dpop', () => issued('access-1', { token_type: 'dpop' }), 'oauth/invalid-token-response', {}],
    ['no type', () => issued('access-1', { token_type: undefined }), 'oauth/invalid-token-response', {}],
    [
      'no refresh token',
      () => issued('access-1', { refresh_token: null }),
      'oauth/invalid-token-response',
      {},
    ],
    ['a negative time', () => issued('access-1', { expires_in: -1 }), 'oauth/invalid-token-response', {}],
    ['no time', () => issued('access-1', { expires_in: 'soon' }), 'oauth/invalid-token-response', {}],
    ['a long answer', () => issued('x'.repeat(100_000)), 'http/too-large', {}],
  ])('says so, and shows nothing of the answer: %s', async (_name, answer, code, details) => {
    const portal = await startPortal(answer)
    const error = await rejection(login(portal, browserThat()))
    expect(error).toMatchObject({ code, details })
    expect(allTextOf(error)).not.toMatch(/access-1|refresh-1|the-code/)
  })
})

/** Returns everything that a log could show of an error: its texts, details and causes. */
function allTextOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${String(error)} ${String(error.stack)} ${JSON.stringify(error)} ${allTextOf(error.cause)}`
}
