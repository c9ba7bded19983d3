import type { ErrorReport } from '../../contract/error-codes'

/**
 * The error of a command, where it is one of the way to main and not of what main did: the latter is in main's state,
 * where it also goes away again. `known` is what the state tells already.
 */
export function borderError(
  error: ErrorReport | undefined,
  known: ErrorReport | undefined,
): ErrorReport | undefined {
  if (error === undefined || error.code === known?.code) return undefined
  return error.code === 'internal/unexpected' || error.code.startsWith('usage/') ? error : undefined
}
