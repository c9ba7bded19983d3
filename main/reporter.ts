import type { ErrorReport } from '../contract/error-codes'

/** Takes what goes wrong without stopping the work of its caller. */
export interface Reporter {
  /** Logs it, and tells the user in the window or on standard error. */
  readonly notice: (notice: ErrorReport) => void
  /** Logs a failure that the user need not know, under the name of an event. */
  readonly failure: (event: string, error: unknown) => void
  /** Logs an error that only a mistake in the code explains, such as that of a listener. */
  readonly defect: (error: unknown) => void
}
