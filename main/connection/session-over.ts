import { CausewayError } from '../errors'

/** Returns the error for a tunnel that can't reconnect because its login has expired. */
export function sessionOver(instanceId: string, cause?: unknown): CausewayError {
  return new CausewayError('session/over', { details: { instance: instanceId }, cause })
}
