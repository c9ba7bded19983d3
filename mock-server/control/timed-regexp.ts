import { createContext, Script } from 'node:vm'

/** The longest pattern, and the longest beginning of a text that a pattern is matched against. */
export const maxPatternCharacters = 500
const maxTextCharacters = 64 * 1024
/** Generous, because a busy machine can stop the process for a while; no sensible pattern takes this long. */
const timeLimitMs = 1000

const context = createContext({ pattern: /(?:)/, text: '' })
const test = new Script('pattern.test(text)')

export function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

/**
 * Returns true if a pattern matches somewhere in a text. One that takes too long, such as `(a+)+$`, counts as no match:
 * the time limit of a script also ends the backtracking of a regular expression.
 */
export function patternMatches(pattern: string, text: string): boolean {
  try {
    context.pattern = new RegExp(pattern, 'u')
    context.text = text.slice(0, maxTextCharacters)
    return test.runInContext(context, { timeout: timeLimitMs }) === true
  } catch {
    return false
  }
}
