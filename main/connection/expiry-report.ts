import type { ErrorReport } from '../../contract/error-codes'
import { timeLeftText } from './expiry'
import type { ExpiryNotice } from './expiry-watch'

/** Returns `session/ends-soon` or `session/over` for a notice; details: `instance`, `endsAt`, `hours`. */
export function expiryReport({ instanceId, endsAt, hours }: ExpiryNotice, now: Date): ErrorReport {
  const details = { instance: instanceId, endsAt: endsAt.toISOString(), hours }
  const renew = `To renew it, run: causeway login --renew ${instanceId}`
  const left = endsAt.getTime() - now.getTime()
  return left <= 0
    ? { code: 'session/over', message: `Your login at ${instanceId} has expired. ${renew}`, details }
    : {
        code: 'session/ends-soon',
        message: `Your login at ${instanceId} expires in ${timeLeftText(left)}. ${renew}`,
        details,
      }
}
