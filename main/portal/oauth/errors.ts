import { CausewayError } from '../../errors'

export function loginRequired(): CausewayError {
  return new CausewayError('oauth/login-required', 'You are not logged in. Log in to go on.')
}

export function loginCancelled(): CausewayError {
  return new CausewayError('oauth/cancelled', 'The login was cancelled. Start it again when you want it.')
}
