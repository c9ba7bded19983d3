import { describe, expect, it, vi } from 'vitest'
import { failingBrowser, scriptedBrowser, startCommandAndMock } from './causeway.testing'

vi.setConfig({ maxConcurrency: 3 })

const { command, mock } = await startCommandAndMock({ autoApprove: true })

describe('a failed login', () => {
  const redirectUri = `const back = new URL(url.searchParams.get('redirect_uri')); const state = url.searchParams.get('state')`
  const comeBack = (query: string) =>
    scriptedBrowser(`${redirectUri}; back.search = ${query}; url.href = back.href`)

  it.concurrent.each([
    ['no code', comeBack(`'?state=' + state`), 3, 'oauth/invalid-callback'],
    ['two codes', comeBack(`'?code=a&code=b&state=' + state`), 3, 'oauth/invalid-callback'],
    ['a refusal', comeBack(`'?error=access_denied&state=' + state`), 3, 'oauth/access-denied'],
    ['an error', comeBack(`'?error=server_error&state=' + state`), 3, 'oauth/authorization-failed'],
    [
      'another issuer',
      comeBack(`'?code=x&iss=https://else.example&state=' + state`),
      3,
      'oauth/issuer-mismatch',
    ],
    ['an invalid code', comeBack(`'?code=x&state=' + state`), 3, 'oauth/code-refused'],
    ['a browser that does not start', '/nonexistent/browser', 3, 'oauth/browser-not-opened'],
    ['a browser that fails', failingBrowser, 3, 'oauth/browser-not-opened'],
  ])('stores no tokens after %s', async (_what, browser, status, code) => {
    const person = await command.person(mock.instance)
    const failure = await person.failure(['login'], { env: { CAUSEWAY_BROWSER: browser } })
    expect(failure).toMatchObject({ status, code })
    await expect(person.secrets()).rejects.toThrow('ENOENT')
  })

  it.each([
    ['to another path', `await fetch(new URL('/other?code=x&state=' + state, back))`],
    ['to the root', `await fetch(new URL('/', back))`],
    ['with a wrong state', `await fetch(new URL('?code=x&state=other', back))`],
    ['with a refusal without a state', `await fetch(new URL('?error=access_denied', back))`],
  ])('is not caused by a stray request %s', async (_what, request) => {
    const stray = `${redirectUri}; ${request}`
    const person = await command.person(mock.instance)
    const { status } = await person.run(['login'], { env: { CAUSEWAY_BROWSER: scriptedBrowser(stray) } })
    expect(status).toBe(0)
  })

  it('opens no browser if the portal does not know the client id', async () => {
    const person = await command.person(mock.instance)
    await person.run(['instance', 'set', '--client-id', 'org.example.unknown'])
    // If the browser were opened, it would fail with another error.
    const failure = await person.failure(['login'], { env: { CAUSEWAY_BROWSER: failingBrowser } })
    expect(failure).toMatchObject({
      status: 3,
      code: 'oauth/client-refused',
      message: expect.stringMatching(/causeway .*instance set --client-id ID/) as string,
      details: { clientId: 'org.example.unknown', error: 'invalid_client' },
    })
    await person.run(['instance', 'set', '--client-id', 'org.causeway.app.macos'])
    expect((await person.run(['login'])).status).toBe(0)
  })

  it('opens no browser if only the token endpoint says that it does not know the client id', async () => {
    const person = await command.person(mock.instance)
    const env = { CAUSEWAY_BROWSER: failingBrowser }
    await fetch(`${mock.control}/scenarios/sign-in-first`, { method: 'POST' })
    expect(await person.failure(['login'], { env })).toMatchObject({ code: 'oauth/browser-not-opened' })
    await person.run(['instance', 'set', '--client-id', 'org.example.unknown'])
    expect(await person.failure(['login'], { env })).toMatchObject({
      status: 3,
      code: 'oauth/client-refused',
      details: { clientId: 'org.example.unknown', error: 'invalid_client' },
    })
    await fetch(`${mock.control}/scenarios/all-well`, { method: 'POST' })
  })

  it('opens no browser with --no-login', async () => {
    const person = await command.person(mock.instance)
    expect(await person.failure(['profile', 'list', '--no-login'])).toMatchObject({
      status: 3,
      code: 'oauth/login-required',
    })
  })
})
