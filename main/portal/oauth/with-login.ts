import { hasCode } from '../../errors'
import type { TokenSession } from './token-session'

export interface WithLoginOptions {
  readonly login: 'allowed' | 'never'
  readonly signal: AbortSignal
  /** Told before the browser opens. */
  readonly onLoginNeeded?: () => void
}

/**
 * Makes a call that needs a login; where there is none any more, logs in once and makes the call once more. A
 * second `oauth/login-required` is thrown, so that a server which refuses its own tokens does not ask for approval
 * without end. Throws what the call and TokenSession.logIn throw.
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
    // Another call, or another process, may have logged in since this one began.
    if (!(await session.signedIn())) {
      if (login === 'never') throw error
      onLoginNeeded?.()
      await session.logIn(signal)
    }
  }
  return call()
}
