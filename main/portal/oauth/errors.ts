import { CausewayError, report, toErrorReport } from '../../errors'
import type { Reporter } from '../../reporter'

export function loginRequired(): CausewayError {
  return new CausewayError('oauth/login-required')
}

export function loginCancelled(): CausewayError {
  return new CausewayError('oauth/cancelled')
}

/** Tells the user that a session couldn't be stored, so that it ends with the process. */
export function reportNotStored(
  reporter: Pick<Reporter, 'notice'>,
  { id }: { readonly id: string },
  error: unknown,
): void {
  const { code, details } = toErrorReport(error)
  reporter.notice(report('session/not-stored', { details: { ...details, instance: id, problem: code } }))
}
