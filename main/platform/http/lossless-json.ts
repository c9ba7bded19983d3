import { parse, stringify } from 'lossless-json'

/**
 * Returns the value of a JSON text, undefined for any other text. An integer that a number cannot hold exactly, such as an
 * id above 2^53, becomes the string of its digits.
 */
export function parseJson(text: string): unknown {
  try {
    return hasLongNumber(text) ? parseWith(text, String) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns a JSON text whose value was changed by `change`, undefined for any other text. Its numbers keep their digits: those
 * that a number cannot hold exactly are given to `change` as a bigint.
 */
export function changeJson(text: string, change: (value: unknown) => unknown): string | undefined {
  try {
    if (!hasLongNumber(text)) return JSON.stringify(change(JSON.parse(text)))
    return stringify(change(parseWith(text, BigInt)))
  } catch {
    return undefined
  }
}

/** Without one every number is exact, and JSON.parse is several times faster. */
function hasLongNumber(text: string): boolean {
  return /\d{16}/.test(text)
}

/** Makes `ofLong` of an integer that a number cannot hold exactly. The last of several equal keys counts, as in JSON.parse. */
function parseWith(text: string, ofLong: (digits: string) => unknown): unknown {
  return parse(text, null, {
    parseNumber: (digits) => {
      const value = Number(digits)
      return /^-?\d+$/.test(digits) && !Number.isSafeInteger(value) ? ofLong(digits) : value
    },
    onDuplicateKey: ({ newValue }) => newValue,
  })
}
