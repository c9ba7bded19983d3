import { describe, expect, it } from 'vitest'
import { buttonsBeside, isCrowded } from './stage-room'

const stage = {
  sentence: '',
  isNarrow: false,
  hasDetails: false,
  waitsForBrowser: false,
  hasFailed: false,
  tone: 'on',
} as const

const letters = (count: number): string => 'n'.repeat(count)

describe('beside the sentence of the stage', () => {
  it.each([
    [{}, 2],
    [{ isNarrow: true }, 1],
    [{ tone: 'limited' }, 1],
    [{ hasFailed: true }, 1],
  ] as const)('%j, %d buttons fit', (changed, fitting) => {
    expect(buttonsBeside(['Renew', 'Reconnect'], { ...stage, ...changed })).toBe(fitting)
  })

  it.each([
    [false, 0, 51],
    [false, 80, 14],
    [true, 0, 24],
    [true, 80, 24],
  ])('after a failure (narrow: %s), %d letters leave room for a button of %d', (isNarrow, said, widest) => {
    const failed = { ...stage, hasFailed: true, isNarrow, sentence: letters(said) }
    expect(buttonsBeside([letters(widest)], failed)).toBe(1)
    expect(buttonsBeside([letters(widest + 1)], failed)).toBe(0)
    expect(buttonsBeside([], failed), 'no button').toBe(1)
  })

  it.each([
    // Exactly as wide as the room.
    [{ sentence: letters(98) }, 2, 16],
    [{}, 2, 64],
    [{ hasDetails: true }, 2, 51],
    [{}, 3, 59],
    [{ isNarrow: true }, 2, 42],
    [{ isNarrow: true, sentence: letters(98) }, 2, 42],
    [{ isNarrow: true, hasDetails: true }, 3, 23],
  ])('%j, two of %d buttons of a sign-in fit with %d letters', (changed, count, widest) => {
    const waiting = { ...stage, ...changed, waitsForBrowser: true }
    const others = Array<string>(count - 2).fill('More')
    expect(buttonsBeside(['', letters(widest), ...others], waiting)).toBe(2)
    expect(buttonsBeside(['', letters(widest + 1), ...others], waiting)).toBe(1)
  })
})

it.each([
  [undefined, 23],
  ['OK', 16],
  [letters(10), 15],
  [letters(40), 11],
])('beside %s, a state of %d letters fits in a narrow window', (button, widest) => {
  expect(isCrowded(letters(widest), button)).toBe(false)
  expect(isCrowded(letters(widest + 1), button)).toBe(true)
})
