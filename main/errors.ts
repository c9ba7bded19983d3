import type { ErrorCode, ErrorReport } from '../contract/error-codes'

/** The only error that crosses a border of the app; everything else is a defect and becomes `internal/unexpected`. */
export class CausewayError extends Error {
  override readonly name = 'CausewayError'
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      readonly details?: Readonly<Record<string, unknown>> | undefined
      readonly cause?: unknown
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details
  }
}

/** True for an error with this code. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): error is CausewayError {
  return error instanceof CausewayError && codes.includes(error.code)
}

/**
 * What may be shown of an error. An error that is not ours is reported without its text, which could hold
 * anything.
 */
export function toErrorReport(error: unknown): ErrorReport {
  if (error instanceof CausewayError) {
    return {
      code: error.code,
      message: error.message,
      ...(error.details === undefined ? {} : { details: error.details }),
    }
  }
  return {
    code: 'internal/unexpected',
    message: 'Causeway ran into an unexpected problem. Try again. If it happens again, report it.',
    details: { kind: error instanceof Error ? error.name : typeof error },
  }
}
