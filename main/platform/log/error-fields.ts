import { CausewayError } from '../../errors'

/** Longer chains are circular. */
const longestChain = 8

/**
 * Returns the fields that the log shows of an error: code, message and details of a CausewayError, and for each cause the
 * kind and the system's code (`ECONNREFUSED`). The message of any other error is left out, because it could contain
 * anything.
 */
export function errorFields(error: unknown): Readonly<Record<string, unknown>> {
  const causes: object[] = []
  let cause = causeOf(error)
  while (cause !== undefined && causes.length < longestChain) {
    causes.push(oneError(cause))
    cause = causeOf(cause)
  }
  return { ...oneError(error), ...(causes.length === 0 ? {} : { causes }) }
}

function oneError(error: unknown): object {
  if (error instanceof CausewayError) {
    const { code, message, details } = error
    return { code, message, details }
  }
  if (!(error instanceof Error)) return { kind: typeof error }
  const system = 'code' in error && typeof error.code === 'string' ? { system: error.code } : {}
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { kind: error.name, ...system, at: frames.slice(0, 5).map((line) => line.trim()) }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}
