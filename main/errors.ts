import type { ErrorCode, ErrorReport } from '../contract/error-codes'
import type { DetailsOf, NeedsDetails, VariantOf } from '../contract/error-details'
import { type CatalogueOverrides, type ErrorCatalogue, errorText } from '../contract/error-text'
import { printable } from '../contract/safe-text'
import error from '../contract/locales/en/error.json'
import errors from '../contract/locales/en/errors.json'
import terminalErrors from '../contract/locales/en/terminal-errors.json'

type Options<Code extends ErrorCode> = {
  /** The sentence among those of the code; by default that for `details.reason`, else the plain one. */
  readonly variant?: VariantOf<Code> | undefined
  readonly cause?: unknown
} & (NeedsDetails<Code> extends true
  ? { readonly details: DetailsOf<Code> }
  : { readonly details?: DetailsOf<Code> | undefined })

/** A code, and the values for its texts. */
export type ErrorArguments = {
  [Code in ErrorCode]: NeedsDetails<Code> extends true
    ? [code: Code, options: Options<Code>]
    : [code: Code, options?: Options<Code>]
}[ErrorCode]

/** The only error that crosses a trust boundary of the app; everything else is a defect and becomes `internal/unexpected`. */
export class CausewayError extends Error {
  override readonly name = 'CausewayError'
  readonly code: ErrorCode
  readonly variant: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  /** The message is the sentence of the catalogue in English (docs/architecture.md, "Adding an error"). */
  constructor(...[code, options = {}]: ErrorArguments) {
    const { variant, details, cause } = options
    super(sentence({ code, variant, details }), cause === undefined ? undefined : { cause })
    this.code = code
    this.variant = variant
    this.details = details
  }

  /** Creates the error for a report, with its message if it has one. */
  static fromReport(
    { code, variant, details, message }: Omit<ErrorReport, 'message'> & { readonly message?: string },
    cause?: unknown,
  ): CausewayError {
    const error = new CausewayError(...([code, { variant, details, cause }] as ErrorArguments))
    if (message !== undefined) error.message = message
    return error
  }
}

/** True for an error with this code. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): error is CausewayError {
  return error instanceof CausewayError && codes.includes(error.code)
}

/**
 * Returns the report of an error that may be shown. Errors other than CausewayError are reported without their text,
 * which could contain anything.
 */
export function toErrorReport(error: unknown): ErrorReport {
  if (error instanceof CausewayError) {
    const { code, variant, message, details } = error
    return {
      code,
      variant,
      message,
      details,
    }
  }
  return report('internal/unexpected', {
    details: { kind: error instanceof Error ? error.name : typeof error },
  })
}

/** Creates the report of a problem that is shown but not thrown. */
export function report(...args: ErrorArguments): ErrorReport {
  return toErrorReport(new CausewayError(...args))
}

/** The texts of errors in one language, with those that the terminal puts first. */
export interface ErrorSentences {
  readonly locale: string
  readonly catalogue: ErrorCatalogue
  readonly overrides: CatalogueOverrides
}

const english: ErrorSentences = { locale: 'en', catalogue: { errors, error }, overrides: terminalErrors }

type Described = Pick<ErrorReport, 'code' | 'variant' | 'details'>

/** Returns what happened, with the server's text, and what to do, by default in English. */
export function sentences(
  of: Described,
  { locale, catalogue, overrides }: ErrorSentences = english,
): { readonly what: string; readonly todo: string } {
  const { what, todo } = errorText(of, catalogue, { locale, overrides })
  const words = of.details?.error
  return typeof words === 'string' && words !== ''
    ? { what: what.replace(/[.。]?$/, (end) => ` (“${printable(words)}”)${end}`), todo }
    : { what, todo }
}

/** Returns the text of an error, by default in English. */
export function sentence(of: Described, texts: ErrorSentences = english): string {
  const { what, todo } = sentences(of, texts)
  return `${what}${what.endsWith('。') ? '' : ' '}${todo}`
}
