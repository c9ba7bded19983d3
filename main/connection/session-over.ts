import { CausewayError } from '../errors'

/** The error for a tunnel that cannot be built again, because the login it came from has ended. */
export function sessionOver(instanceId: string, cause?: unknown): CausewayError {
  return new CausewayError(
    'session/over',
    `Your login at ${instanceId} has ended, and so the tunnel cannot be built again. Connect again: you log in in your browser on the way.`,
    { details: { instance: instanceId }, cause },
  )
}
