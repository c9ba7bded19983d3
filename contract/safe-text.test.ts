import { expect, it } from 'vitest'

import {
  editableText,
  printable,
  printableJson,
  terminalLine,
  terminalText,
  windowLine,
  windowText,
} from './safe-text'

it('removes characters that could rewrite the terminal or other lines', () => {
  expect(printable('no\u001b[2J\r\nway\u202e!')).toBe('no [2J way !')
})

it('limits the length', () => {
  expect(printable('x'.repeat(1_000_000), 10)).toBe('xxxxxxxxx…')
  expect(printable('🔒'.repeat(50), 3)).toBe('🔒🔒…')
})

it('escapes characters in JSON that could rewrite the terminal, and keeps the value', () => {
  const value = { 'a\u202eb': ['\u009b2J\u007f', '\u2028', '\u{e0041}', 'être 🔒'] }
  const line = printableJson(value)
  expect(line).toBe(String.raw`{"a\u202eb":["\u009b2J\u007f","\u2028","\udb40\udc41","être 🔒"]}`)
  expect(JSON.parse(line)).toEqual(value)
})

it('keeps plain text unchanged', () => {
  expect(printable(' profile not available – être ')).toBe('profile not available – être')
})

const places = { printable, terminalText, terminalLine, windowText, windowLine, editableText }

it.each(Object.entries(places))('%s shows no control characters and overrides', (_name, place) => {
  const hostile = ['\u0007', '\u001b', '\u007f', '\u009b', '\u202a', '\u202e', '\u2066', '\u2069', '\u0000']
  const shown = place(`a${hostile.join('b')}c`)
  for (const character of hostile) expect(shown).not.toContain(character)
})

it.each<[keyof typeof places, string]>([
  ['printable', 'one two three'],
  ['terminalText', 'one\ntwo three'],
  ['terminalLine', 'one two three'],
  ['windowText', 'one\ntwo\tthree'],
  ['windowLine', 'one two three'],
  ['editableText', 'one\ntwo\tthree'],
])('%s keeps lines only where they may be', (name, shown) => {
  expect(places[name]('one\ntwo\tthree')).toBe(shown)
})

it('keeps what scripts and emoji are joined with in the window', () => {
  const family = '👩\u200d👩\u200d👧'
  expect(windowLine(family)).toBe(family)
  expect(windowText('a\u0301'.padEnd(20, '\u0301'))).toBe(`a${'\u0301'.repeat(8)}`)
})
