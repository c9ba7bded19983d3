import { CausewayError } from '../../errors'
import type { Endpoints } from '../instance/instance'
import { parseAddress, type ParsedAddress } from '../instance/address'

/**
 * Finds the instance for an address that a user entered, which may be one of its pages copied from the browser. Tries
 * the address itself, then its origin. A portal of version 3 is at its origin, since its well-known document is.
 * `discover` throws where there is no service. Throws what parseAddress and `discover` throw; if there is no service at
 * either address, the first error with both addresses in `details.tried`.
 */
export async function findInstance(
  text: string,
  discover: (place: ParsedAddress) => Promise<Pick<Endpoints, 'apiVersion'>>,
): Promise<ParsedAddress> {
  const typed = parseAddress(text)
  const origin = parseAddress(new URL(typed.address).origin)
  try {
    const { apiVersion } = await discover(typed)
    if (apiVersion !== 3 || origin.id === typed.id) return typed
    return (await isVersion3(origin, discover)) ? origin : typed
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

async function isVersion3(
  place: ParsedAddress,
  discover: (place: ParsedAddress) => Promise<Pick<Endpoints, 'apiVersion'>>,
): Promise<boolean> {
  try {
    return (await discover(place)).apiVersion === 3
  } catch (error) {
    if (!isMissing(error)) throw error
    return false
  }
}

/** True if a server answered that it has no VPN service there; a server with an internal error may have one. */
function isMissing(error: unknown): error is CausewayError {
  if (!(error instanceof CausewayError)) return false
  if (error.code === 'discovery/not-found' || error.code === 'discovery/not-json') return true
  const status = error.details?.status
  return error.code === 'discovery/server-error' && typeof status === 'number' && status < 500
}

function neither(cause: CausewayError, tried: readonly string[]): CausewayError {
  const details = { ...cause.details, tried }
  return CausewayError.fromReport({ code: cause.code, variant: 'several-tried', details }, cause)
}
