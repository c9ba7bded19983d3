import type { ErrorReport } from '../../contract/error-codes'
import { report } from '../errors'
import type { ExpiryNotice } from './expiry-watch'

/** Returns `session/ends-soon` or `session/over` for a notice; details: `instance`, `endsAt`, `hours`. */
export function expiryReport({ instanceId, endsAt, hours }: ExpiryNotice, now: Date): ErrorReport {
  const details = { instance: instanceId, endsAt: endsAt.toISOString(), hours }
  return endsAt <= now ? report('session/over', { details }) : report('session/ends-soon', { details })
}
