import { CausewayError } from '../../errors'

/** Enough for any chain of ours; a longer one is a circle. */
const longestChain = 8

/**
 * What the log says of an error: code, sentence and details of ours, and down its causes the kind and the system's
 * code (`ECONNREFUSED`). The text of an error that is not ours stays out, because it could hold anything.
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
    return { code, message, ...(details === undefined ? {} : { details }) }
  }
  if (!(error instanceof Error)) return { kind: typeof error }
  const system = 'code' in error && typeof error.code === 'string' ? { system: error.code } : {}
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { kind: error.name, ...system, at: frames.slice(0, 5).map((line) => line.trim()) }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}
