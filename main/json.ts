import { parse, stringify } from 'lossless-json'

/**
 * Parses JSON; returns undefined for any other text. An integer that a number cannot represent exactly, such as an id above
 * 2^53, becomes the string of its digits.
 */
export function parseJson(text: string): unknown {
  try {
    return hasLongNumber(text) ? parseWith(text, String) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Changes the value of a JSON text with `change`; returns undefined for any other text. Keeps all digits: `change` receives
 * an integer that a number cannot represent exactly as a bigint.
 */
export function changeJson(text: string, change: (value: unknown) => unknown): string | undefined {
  try {
    if (!hasLongNumber(text)) return JSON.stringify(change(JSON.parse(text)))
    return stringify(change(parseWith(text, BigInt)))
  } catch {
    return undefined
  }
}

/** Returns false if every number is exact, so that JSON.parse can be used, which is several times faster. */
function hasLongNumber(text: string): boolean {
  return /\d{16}/.test(text)
}

/** Converts inexact integers with `ofLong`. The last of several equal keys counts, as in JSON.parse. */
function parseWith(text: string, ofLong: (digits: string) => unknown): unknown {
  return parse(text, null, {
    parseNumber: (digits) => {
      const value = Number(digits)
      return /^-?\d+$/.test(digits) && !Number.isSafeInteger(value) ? ofLong(digits) : value
    },
    onDuplicateKey: ({ newValue }) => newValue,
  })
}
