import type { ErrorCode } from '../../contract/error-codes'

/** For every error: what happened, and what to do. */
export type ErrorTexts = Readonly<Record<ErrorCode, { readonly what: string; readonly todo: string }>>
