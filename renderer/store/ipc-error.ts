import type { ErrorReport } from '../../contract/error-codes'

/**
 * Returns the error of a command only if it occurred on the way to main. Errors of main itself are part of its state,
 * which also clears them. `known` is the error that the state already has.
 */
export function ipcError(
  error: ErrorReport | undefined,
  known: ErrorReport | undefined,
): ErrorReport | undefined {
  if (error === undefined || error.code === known?.code) return undefined
  return error.code === 'internal/unexpected' || error.code.startsWith('usage/') ? error : undefined
}
