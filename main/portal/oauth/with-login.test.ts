import { describe, expect, it } from 'vitest'
import { CausewayError } from '../../errors'
import { rejection } from '../../platform/http/test-server.testing'
import { loginRequired } from './errors'
import type { TokenSession } from './token-session'
import { withLogin } from './with-login'

const { signal } = new AbortController()

/** Counts logins; only `logIn` is used here. */
function sessionThat(
  logIn: () => Promise<void> = () => Promise.resolve(),
  signedIn = false,
): {
  session: TokenSession
  logins: () => number
} {
  let logins = 0
  const unused = (): Promise<never> => Promise.reject(new Error('not expected'))
  return {
    logins: () => logins,
    session: {
      signedIn: () => Promise.resolve(signedIn),
      login: unused,
      accessToken: unused,
      expire: unused,
      requireVersion: unused,
      discardRejected: unused,
      logOut: unused,
      logIn: () => {
        logins += 1
        return logIn()
      },
    },
  }
}

/** Fails with these errors, one per call, and then succeeds. */
function callThatFails(...errors: Error[]): { call: () => Promise<string>; calls: () => number } {
  let calls = 0
  return {
    calls: () => calls,
    call: () => {
      const error = errors[calls]
      calls += 1
      return error === undefined ? Promise.resolve('done') : Promise.reject(error)
    },
  }
}

describe('withLogin', () => {
  it('does not log in if no login is needed', async () => {
    const { session, logins } = sessionThat()
    expect(await withLogin(session, { login: 'allowed', signal }, callThatFails().call)).toBe('done')
    expect(logins()).toBe(0)
  })

  it('reports the login before the browser opens, logs in once and repeats the call', async () => {
    const { session, logins } = sessionThat()
    const { call, calls } = callThatFails(loginRequired())
    const received: number[] = []
    const onLoginNeeded = (): void => {
      received.push(logins())
    }
    expect(await withLogin(session, { login: 'allowed', signal, onLoginNeeded }, call)).toBe('done')
    expect([logins(), calls()]).toEqual([1, 2])
    expect(received).toEqual([0])
  })

  it.each(['allowed', 'never'] as const)(
    'opens no browser where somebody has logged in since the call began (login %s)',
    async (login) => {
      const { session, logins } = sessionThat(undefined, true)
      const { call, calls } = callThatFails(loginRequired())
      expect(await withLogin(session, { login, signal }, call)).toBe('done')
      expect([logins(), calls()]).toEqual([0, 2])
    },
  )

  it('does not log in a second time if the new tokens are also refused', async () => {
    const { session, logins } = sessionThat()
    const { call, calls } = callThatFails(loginRequired(), loginRequired())
    expect(await rejection(withLogin(session, { login: 'allowed', signal }, call))).toMatchObject({
      code: 'oauth/login-required',
    })
    expect([logins(), calls()]).toEqual([1, 2])
  })

  it('does not open a browser if that is not allowed', async () => {
    const { session, logins } = sessionThat()
    const { call } = callThatFails(loginRequired())
    expect(await rejection(withLogin(session, { login: 'never', signal }, call))).toMatchObject({
      code: 'oauth/login-required',
    })
    expect(logins()).toBe(0)
  })

  it('throws errors that a login cannot fix, and errors of the login', async () => {
    const offline = new CausewayError('http/unreachable', { details: { host: 'vpn.example.org' } })
    const { session, logins } = sessionThat()
    expect(
      await rejection(withLogin(session, { login: 'allowed', signal }, callThatFails(offline).call)),
    ).toBe(offline)
    expect(logins()).toBe(0)

    const denied = new CausewayError('oauth/access-denied')
    const failing = sessionThat(() => Promise.reject(denied))
    const { call, calls } = callThatFails(loginRequired())
    expect(await rejection(withLogin(failing.session, { login: 'allowed', signal }, call))).toBe(denied)
    expect(calls()).toBe(1)
  })
})
