import fc, { type StringConstraints } from 'fast-check'

/** Any character, as of `unit: 'binary'`, for which fast-check first lists all of them in half a second. */
const character = fc
  .integer({ min: 0, max: 0x10ffff })
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map(
    (code) => String.fromCodePoint(code),
    (text) => {
      const [code, ...more] = typeof text === 'string' ? Array.from(text, (each) => each.codePointAt(0)) : []
      if (code === undefined || more.length > 0) throw new Error('not one character')
      return code
    },
  )

/** Texts of any characters of Unicode. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}) =>
  fc.string({ ...constraints, unit: character })
