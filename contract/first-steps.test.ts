import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorCodes } from './error-codes'
import { type FirstStep, firstStepAfter, firstSteps } from './first-steps'
import english from './locales/en/errors.json'
import connection from './locales/en/connection.json'
import { type Verb, verbText } from './verbs'

/** What a sentence tells the person to do first, and the step that does it. */
const advice: readonly (readonly [start: RegExp, step: FirstStep])[] = [
  [/^Open a web page\b/, 'openPage'],
  [/^Sign in\b/, 'signInAgain'],
  [/^Renew\b/, 'renew'],
  [/^Choose (?:another|a) profile\b/, 'chooseProfile'],
  [/^Set (?:the|this computer's) clock\b/, 'openClockSettings'],
  [/^(?:Report this|Ask (?:your organization|the service's administrator))\b/, 'copyForHelpDesk'],
  [/^(?:Install|Update) OpenVPN\b/, 'chooseOpenVpn'],
  [/^Run "causeway helper install"/, 'installHelper'],
  [/^Run "causeway doctor"/, 'checkComputer'],
  [/^To (?:find the cause|see what is missing), choose "Check this computer"/, 'checkComputer'],
  [/^(?:Try again|Connect again|Connect once|Connect first|Start it again)\b/, 'tryAgain'],
]

/** Sentences to which the window knows a better step than the words say, or than nothing. */
const better: Readonly<Partial<Record<ErrorCode, FirstStep>>> = {
  // Another network or later: TCP may work here and now.
  'openvpn/unreachable': 'tryTcp',
  'openvpn/timed-out': 'tryTcp',
  'wireguard/no-answer': 'tryTcp',
  'wireguard/blocked': 'tryTcp',
  // Rights that the helper has.
  'openvpn/not-permitted': 'installHelper',
  'helper/service-missing': 'installHelper',
}

describe('the first step after a failure', () => {
  it.each(errorCodes)('with %s is what its sentence says', (code) => {
    const output = advice.find(([start]) => start.test(english[code].todo))?.[1] ?? 'nothing'
    expect(firstStepAfter(code)).toBe(better[code] ?? output)
  })

  it('has one place in the table for each code', () => {
    expect(Object.values(firstSteps).flat().toSorted()).toEqual([...errorCodes].toSorted())
  })

  it('is to sign in again where the service refused the login before its time', () => {
    expect(firstStepAfter('session/over', 'revoked')).toBe('signInAgain')
    expect(english['session/over'].variants.revoked.todo).toMatch(/^Sign in again/)
  })

  it('has a button of at most 22 letters', () => {
    for (const step of Object.keys(firstSteps)) {
      if (step === 'nothing') continue
      const key = verbText[step as Verb].replace('connection.', '')
      const text = (connection as unknown as Record<string, unknown>)[key]
      if (typeof text === 'string') expect(text.length, text).toBeLessThanOrEqual(22)
    }
  })
})
