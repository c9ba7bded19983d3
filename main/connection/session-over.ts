import { CausewayError } from '../errors'

/** Returns the error for a tunnel that can't reconnect because its login has expired, or was ended by the service before that. */
export function sessionOver(
  instanceId: string,
  { isRevoked = false, cause }: { readonly isRevoked?: boolean; readonly cause?: unknown } = {},
): CausewayError {
  return new CausewayError('session/over', {
    variant: isRevoked ? 'revoked' : undefined,
    details: { instance: instanceId },
    cause,
  })
}

/** Returns the error for credentials that a service seems to have dropped before their time. */
export function endedByService(instanceId: string): CausewayError {
  return new CausewayError('connection/ended-by-service', { details: { instance: instanceId } })
}
