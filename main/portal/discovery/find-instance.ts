import { CausewayError } from '../../errors'
import { parseAddress, type ParsedAddress } from '../instance/address'

/**
 * Finds the service that a person means by an address, which may be one of its pages, copied from the browser: asks at the
 * address itself first, then at its origin. `discover` throws where no service is. Throws what parseAddress throws, and
 * what `discover` throws; where neither has a service, the error of the first with both in `details.tried`.
 */
export async function findInstance(
  text: string,
  discover: (place: ParsedAddress) => Promise<unknown>,
): Promise<ParsedAddress> {
  const typed = parseAddress(text)
  const origin = parseAddress(new URL(typed.address).origin)
  try {
    await discover(typed)
    return typed
  } catch (error) {
    if (origin.id === typed.id || !isMissing(error)) throw error
    try {
      await discover(origin)
      return origin
    } catch (originError) {
      throw isMissing(originError) ? neither(error, [typed.address, origin.address]) : originError
    }
  }
}

/** Whether the address was answered by somebody who has no description of a service there; a server in trouble may have. */
function isMissing(error: unknown): error is CausewayError {
  if (!(error instanceof CausewayError)) return false
  if (error.code === 'discovery/not-found' || error.code === 'discovery/not-json') return true
  const status = error.details?.status
  return error.code === 'discovery/server-error' && typeof status === 'number' && status < 500
}

function neither(cause: CausewayError, tried: readonly string[]): CausewayError {
  return new CausewayError(
    cause.code,
    `There's no VPN service at ${tried.join(' or at ')}. Check the address with your organization.`,
    { details: { ...cause.details, tried }, cause },
  )
}
