import { CausewayError } from '../errors'

/** The error for a tunnel that cannot be built again, because the login it came from has ended. */
export function sessionOver(instanceId: string, cause?: unknown): CausewayError {
  return new CausewayError(
    'session/over',
    `Your login at ${instanceId} has expired, so Causeway can't reconnect. Connect again, and log in with your browser.`,
    { details: { instance: instanceId }, cause },
  )
}
