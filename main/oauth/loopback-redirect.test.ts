import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CausewayError } from '../errors'
import type { CallbackResult } from './callback'
import { listenForRedirect, type LoopbackRedirect } from './loopback-redirect'

const approve = (parameters: URLSearchParams): CallbackResult => ({ outcome: 'code', parameters })
const failWith = (code: 'oauth/access-denied' | 'oauth/issuer-mismatch') => (): CallbackResult => ({
  outcome: 'error',
  error: new CausewayError(code, 'no'),
})

async function listening(judge = approve): Promise<LoopbackRedirect> {
  const redirect = await listenForRedirect(judge)
  onTestFinished(() => redirect.close())
  return redirect
}

/** A request of which every part can be chosen; its status comes out. */
function ask(
  redirectUri: string,
  parts: { path?: string; method?: string; host?: string },
): Promise<number | undefined> {
  const { hostname, port } = new URL(redirectUri)
  return new Promise((resolve, reject) => {
    request(
      {
        hostname,
        port,
        path: parts.path ?? '/callback?code=c',
        method: parts.method ?? 'GET',
        agent: false,
        ...(parts.host === undefined ? {} : { headers: { host: parts.host } }),
      },
      (response) => {
        response.resume().on('end', () => {
          resolve(response.statusCode)
        })
      },
    )
      .on('error', reject)
      .end()
  })
}

describe('the redirect URI', () => {
  it('has a port that portals accept, another one each time', async () => {
    const uris = await Promise.all([listening(), listening()])
    for (const { redirectUri } of uris) {
      expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
      expect(Number(new URL(redirectUri).port)).toBeGreaterThanOrEqual(1024)
    }
    expect(new Set(uris.map(({ redirectUri }) => redirectUri)).size).toBe(2)
  })

  it('gives the parameters of the first request', async () => {
    const redirect = await listening()
    expect(await ask(redirect.redirectUri, { path: '/callback?code=a%20b&state=s' })).toBe(200)
    const result = await redirect.callback
    expect(result.outcome === 'code' && Object.fromEntries(result.parameters)).toEqual({
      code: 'a b',
      state: 's',
    })
  })

  it('answers a second request with a page of its own and keeps to the first', async () => {
    const redirect = await listening()
    await ask(redirect.redirectUri, { path: '/callback?code=first' })
    const second = await fetch(`${redirect.redirectUri}?code=second`)
    expect(second.status).toBe(400)
    expect(await second.text()).toContain('already used')
    const result = await redirect.callback
    expect(result.outcome === 'code' && result.parameters.get('code')).toBe('first')
  })

  it.each([
    ['the icon that browsers ask for', { path: '/favicon.ico' }, 404],
    ['another path', { path: '/callback/?code=c' }, 404],
    ['another path in disguise', { path: '//127.0.0.1/callback?code=c' }, 404],
    ['another method', { method: 'POST' }, 405],
    ['a question without reading', { method: 'HEAD' }, 405],
    ['a web page that made its own name point here', { host: 'evil.example' }, 400],
    ['the same machine by another name', { host: 'localhost' }, 400],
  ])('ignores %s', async (_name, parts, status) => {
    const redirect = await listening()
    expect(await ask(redirect.redirectUri, parts)).toBe(status)
    expect(await ask(redirect.redirectUri, { path: '/callback?code=real' })).toBe(200)
    const result = await redirect.callback
    expect(result.outcome === 'code' && result.parameters.get('code')).toBe('real')
  })

  it('leaves nothing open', async () => {
    const redirect = await listenForRedirect(approve)
    const port = Number(new URL(redirect.redirectUri).port)
    const idle = connect(port, '127.0.0.1')
    await new Promise((resolve) => idle.once('connect', resolve))
    const ended = new Promise((resolve) => idle.once('close', resolve))
    idle.on('error', () => undefined).resume()
    await redirect.close()
    await ended
    await expect(ask(redirect.redirectUri, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the page', () => {
  it.each([
    ['Approved', approve, 200],
    ['Access was denied', failWith('oauth/access-denied'), 200],
    ['The login failed', failWith('oauth/issuer-mismatch'), 400],
  ] as const)('says what happened: %s', async (title, judge, status) => {
    const redirect = await listening(judge)
    const page = await fetch(`${redirect.redirectUri}?code=secret-code&state=%3Cscript%3E`)
    const html = await page.text()
    expect(page.status).toBe(status)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(html).toContain('go back to Causeway')
    expect(html).not.toMatch(/secret-code|<script/)
  })

  it('loads nothing, runs nothing, and leaves the code nowhere', async () => {
    const redirect = await listening()
    const page = await fetch(`${redirect.redirectUri}?code=c`)
    const style = /<style>([^]*)<\/style>/.exec(await page.text())?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
  })
})
