import type { ErrorCode } from '../../preload/error-codes'

/** For every error: what happened, and what to do. */
export type ErrorTexts = Readonly<Record<ErrorCode, { readonly what: string; readonly todo: string }>>
