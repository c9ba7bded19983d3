import { z } from 'zod'

/**
 * A whole number in a query or path, written in decimal digits and within these bounds. In OpenAPI it is an integer.
 * Everything else (a sign, a fraction, `0x1`, an empty value, a repeated parameter) is refused in words.
 */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`
  const digits = (value: unknown) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value === undefined ? value : NaN
  return z.preprocess(digits, z.int({ error }).min(least, { error }).max(most, { error }))
}
