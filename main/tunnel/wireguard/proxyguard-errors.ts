import type { ErrorCode } from '../../../contract/error-codes'
import { CausewayError } from '../../errors'
import { TunnelFailure } from '../tunnel'

/** The error of a connection that took too long, as the system would name it. */
export function noAnswer(): Error {
  return Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' })
}

/** Returns true if a port of this computer can't be used. */
export function isPortTaken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EADDRINUSE' || code === 'EADDRNOTAVAIL'
}

/** The error for a server that doesn't behave as ProxyGuard does. */
export function refusal(
  code: `proxyguard/${string}` & ErrorCode,
  details: Readonly<Record<string, unknown>>,
): CausewayError {
  return new CausewayError(code, { details })
}

/** The error for a proxy that couldn't be reached within the time limit of a tunnel. */
export function proxyUnreachable(): TunnelFailure {
  return new TunnelFailure({ failureClass: 'retry', reason: 'unreachable' }, 'proxyguard/unreachable')
}
