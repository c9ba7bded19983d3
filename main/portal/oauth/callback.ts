import { CausewayError } from '../../errors'
import { printable } from '../../../contract/safe-text'

/** The parameters of a successful callback, or the error. */
export type CallbackResult =
  | {
      readonly outcome: 'code'
      readonly parameters: URLSearchParams
      /** The user has to confirm that the sign-in was for this service, by its id. */
      readonly confirmFor?: string
    }
  | { readonly outcome: 'error'; readonly error: CausewayError }

interface CallbackExpectation {
  readonly state: string
  readonly isIssuer: (iss: string) => boolean
  /** Treats a code without an issuer as an error; default false. */
  readonly needsIssuer?: boolean
}

/**
 * Checks the query of a request to the redirect URI (RFC 6749, 4.1.2; RFC 9207). Returns undefined without the state of
 * this login: any page or program on this computer can send that, so it must not end the login. A request with the
 * state comes from the browser that was sent there, whatever else it holds. The errors are `oauth/invalid-callback`,
 * `oauth/issuer-mismatch`, `oauth/access-denied` and `oauth/authorization-failed` (`details.error` is the server's
 * error code).
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
  { isIssuer, needsIssuer = false }: CallbackExpectation,
): CausewayError | undefined {
  if (['state', 'code', 'error', 'iss'].some((name) => parameters.getAll(name).length > 1)) {
    return invalidCallback('parameter-twice')
  }
  const [iss, error] = [parameters.get('iss'), parameters.get('error')]
  // A refusal without an issuer gives nothing to anybody.
  if (iss === null ? needsIssuer && error === null : !isIssuer(iss)) {
    return new CausewayError('oauth/issuer-mismatch', {
      details: iss === null ? {} : { issuer: printable(iss) },
    })
  }
  if (error !== null) return authorizationError(error)
  return parameters.get('code') ? undefined : invalidCallback('no-code')
}

function authorizationError(error: string): CausewayError {
  if (error === 'access_denied') {
    return new CausewayError('oauth/access-denied')
  }
  return new CausewayError('oauth/authorization-failed', { details: { error: printable(error, 100) } })
}

function invalidCallback(reason: string): CausewayError {
  return new CausewayError('oauth/invalid-callback', { details: { reason } })
}
