import { z } from 'zod'

/**
 * Schema for a whole number in a query or path: decimal digits only, within these bounds. OpenAPI shows an integer.
 * Anything else (a sign, a fraction, `0x1`, an empty value, a repeated parameter) is refused with a message.
 */
export function wholeNumber(least: number, most: number) {
  const error = least === most ? `must be ${least}` : `must be a whole number from ${least} to ${most}`
  const digits = (value: unknown) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value === undefined ? value : NaN
  return z.preprocess(digits, z.int({ error }).min(least, { error }).max(most, { error }))
}
