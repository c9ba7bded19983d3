import { CausewayError } from '../../errors'

export function loginRequired(): CausewayError {
  return new CausewayError('oauth/login-required', "You're not logged in. Log in to continue.")
}

export function loginCancelled(): CausewayError {
  return new CausewayError('oauth/cancelled', "The login was cancelled. Log in again when you're ready.")
}
