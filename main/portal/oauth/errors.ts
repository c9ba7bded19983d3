import { CausewayError } from '../../errors'

export function loginRequired(): CausewayError {
  return new CausewayError('oauth/login-required')
}

export function loginCancelled(): CausewayError {
  return new CausewayError('oauth/cancelled')
}
