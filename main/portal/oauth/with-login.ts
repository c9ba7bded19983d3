import { hasCode } from '../../errors'
import type { TokenSession } from './token-session'

interface WithLoginOptions {
  readonly login: 'allowed' | 'never'
  readonly signal: AbortSignal
  /** Called before the browser opens. */
  readonly onLoginNeeded?: () => void
}

/**
 * Makes a call that needs a login. After `oauth/login-required`, logs in once and repeats the call. A second
 * `oauth/login-required` is thrown, so that a server that refuses its own tokens doesn't cause endless logins. Throws what
 * the call and TokenSession.logIn throw.
 */
export async function withLogin<T>(
  session: TokenSession,
  { login, signal, onLoginNeeded }: WithLoginOptions,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (!hasCode(error, 'oauth/login-required')) throw error
    // Another call or process may have logged in since this one started.
    if (!(await session.signedIn())) {
      if (login === 'never') throw error
      onLoginNeeded?.()
      await session.logIn(signal)
    }
  }
  return call()
}
