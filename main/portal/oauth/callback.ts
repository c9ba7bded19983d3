import { CausewayError } from '../../errors'
import { printable } from '../../platform/http/printable'

/** What came back from the browser: parameters that hold a code, or why there is none. */
export type CallbackResult =
  | { readonly outcome: 'code'; readonly parameters: URLSearchParams }
  | { readonly outcome: 'error'; readonly error: CausewayError }

export interface CallbackExpectation {
  readonly state: string
  readonly isIssuer: (iss: string) => boolean
}

/**
 * Judges the query of a request to the redirect URI (RFC 6749, 4.1.2; RFC 9207). Returns undefined without the state of
 * this login: any page or program on this computer can send that, so it must not end the login. What holds the state
 * comes from the browser that was sent there, however odd the rest is. The errors are `oauth/invalid-callback`,
 * `oauth/issuer-mismatch`, `oauth/access-denied` and `oauth/authorization-failed` (`details.error` is the server's word).
 */
export function judgeCallback(
  parameters: URLSearchParams,
  expected: CallbackExpectation,
): CallbackResult | undefined {
  if (!parameters.getAll('state').includes(expected.state)) return undefined
  const error = problemOf(parameters, expected)
  return error === undefined ? { outcome: 'code', parameters } : { outcome: 'error', error }
}

function problemOf(
  parameters: URLSearchParams,
  { isIssuer }: CallbackExpectation,
): CausewayError | undefined {
  if (['state', 'code', 'error', 'iss'].some((name) => parameters.getAll(name).length > 1)) {
    return invalidCallback('parameter-twice')
  }
  const iss = parameters.get('iss')
  if (iss !== null && !isIssuer(iss)) {
    return new CausewayError(
      'oauth/issuer-mismatch',
      "The login response came from a different service, so Causeway ignored it. Log in again. If it happens again, report it to the service's administrator.",
      { details: { issuer: printable(iss) } },
    )
  }
  const error = parameters.get('error')
  if (error !== null) return authorizationError(error)
  return parameters.get('code') ? undefined : invalidCallback('no-code')
}

function authorizationError(error: string): CausewayError {
  if (error === 'access_denied') {
    return new CausewayError(
      'oauth/access-denied',
      'Access was denied in the browser. Log in again and approve Causeway in the browser.',
    )
  }
  return new CausewayError(
    'oauth/authorization-failed',
    "The service couldn't log you in. Try again. If it happens again, report it to the service's administrator.",
    { details: { error: printable(error, 100) } },
  )
}

function invalidCallback(reason: string): CausewayError {
  return new CausewayError(
    'oauth/invalid-callback',
    'The response from the browser was incomplete. Log in again.',
    { details: { reason } },
  )
}
